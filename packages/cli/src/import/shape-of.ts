import { type Flat, flatOf, type Part, type Schemas } from './flat-schema.ts';
import type { Direction, Selection } from './selection.ts';
import type { Field, ObjectShape, Shape } from './shape.ts';

/** The source of the shapes of one request or reply. */
export interface Reading {
  readonly schemas: Schemas;
  readonly direction: Direction;
  readonly selection: Selection;
  /** The name of the endpoint. */
  readonly endpoint: string;
  /** `POST /orders, 200`: what notes name. */
  readonly of: string;
  readonly note: (text: string) => void;
}

interface Place {
  /** Dotted, without the places of lists; empty at the top. */
  readonly path: string;
  readonly hint: string;
  readonly kept: boolean;
}

/** More alternatives are no beginning: a person chooses. */
const MOST_ALTERNATIVES = 5;

/** Reads the value that a body is. */
export function shapeOf(reading: Reading, part: Part, hint: string): Shape {
  return shapeAt(reading, [part], { path: '', hint, kept: true });
}

function shapeAt(reading: Reading, parts: readonly Part[], place: Place): Shape {
  const flat = flatOf(reading.schemas, parts);
  if (flat.again !== undefined) return { kind: 'again', name: flat.again, nullable: false };
  const groups = flat.alternatives.filter((group) => group.some((each) => saysWhatItIs(reading, each)));
  const shape = groups.length > 0 ? alternativesOf(reading, flat, groups, place) : plainShape(reading, flat, place);
  return flat.example === undefined ? shape : { ...shape, shown: flat.example };
}

/** Alternatives that only say which fields are required together say nothing of what a value is. */
function saysWhatItIs({ schemas }: Reading, part: Part): boolean {
  const { types, properties, words, alternatives, items, again } = flatOf(schemas, [part]);
  return (
    properties.size > 0 || [types, words, items, again].some((each) => each !== undefined) || alternatives.length > 0
  );
}

function alternativesOf(reading: Reading, flat: Flat, groups: readonly (readonly Part[])[], place: Place): Shape {
  const base = { ...flat, alternatives: [] };
  const isNull = (part: Part) => flatOf(reading.schemas, [part]).types?.every((type) => type === 'null') === true;
  const nullable = isNullable(flat) || groups.some((group) => group.some(isNull));
  const [first = [], ...more] = groups.map((group) => group.filter((part) => !isNull(part)));
  // Of further groups each alternative takes the first: all combinations would be more than anybody reads.
  if (more.length > 0)
    reading.note(
      `${reading.of}: ${place.path || 'the body'} has alternatives within alternatives; only the first group is read.`,
    );
  const rest = more.flatMap(([each]) => (each === undefined ? [] : [each]));
  const shapes = first
    .map((part) => shapeWith(reading, base, [part, ...rest], place))
    .filter((shape) => shape.kind !== 'again');
  const [only, second] = shapes;
  if (only === undefined) return { kind: 'open', nullable };
  if (second === undefined) return { ...only, nullable: nullable || only.nullable };
  const isObjects = shapes.every(({ kind }) => kind === 'object');
  if (isObjects && reading.selection.leadsThrough(place.path))
    return { ...oneObject(reading, shapes, flat, place), nullable };
  if (shapes.length > MOST_ALTERNATIVES)
    return { kind: 'undecided', question: questionOf(reading, place, first), example: only, nullable };
  return { kind: 'either', of: shapes, nullable };
}

function questionOf({ of, schemas }: Reading, { path }: Place, group: readonly Part[]): string {
  const names = group.flatMap((part) => flatOf(schemas, [part]).name ?? []);
  const shown = names.slice(0, 3).join(', ');
  return `${of}: which of ${group.length} alternatives ${path || 'the body'} is (${shown}, …)`;
}

/** An alternative together with what holds for all of them. */
function shapeWith(reading: Reading, base: Flat, parts: readonly Part[], place: Place): Shape {
  const own = flatOf(reading.schemas, parts);
  if (own.again !== undefined) return { kind: 'again', name: own.again, nullable: false };
  const properties = new Map(base.properties);
  for (const [name, more] of own.properties) properties.set(name, [...(properties.get(name) ?? []), ...more]);
  const whole: Flat = {
    ...base,
    ...own,
    name: own.name ?? base.name,
    types: own.types ?? base.types,
    words: own.words ?? base.words,
    properties,
    required: new Set([...base.required, ...own.required]),
    bounds: { ...base.bounds, ...own.bounds },
  };
  const groups = own.alternatives.filter((group) => group.some((each) => saysWhatItIs(reading, each)));
  return groups.length > 0 ? alternativesOf(reading, whole, groups, place) : plainShape(reading, whole, place);
}

/** Alternatives as one object: the named fields, and the fields that every alternative requires. */
function oneObject({ selection }: Reading, shapes: readonly Shape[], flat: Flat, { path, hint }: Place): ObjectShape {
  const objects = shapes.filter((shape) => shape.kind === 'object');
  const [largest] = objects.toSorted((one, other) => keptIn(other).length - keptIn(one).length);
  const names = new Set(objects.flatMap((each) => keptIn(each).map(({ name }) => name)));
  const fields = [...names].flatMap((name): Field[] => {
    const found = objects.flatMap((each) => keptIn(each).filter((field) => field.name === name));
    const [first] = found;
    const required = found.length === objects.length && found.every((each) => each.required);
    const isWritten = first !== undefined && (required || selection.names(joined(path, name)));
    return isWritten ? [{ ...first, required }] : [];
  });
  return {
    kind: 'object',
    name: flat.name ?? hint,
    isUnnamed: flat.name === undefined,
    fields,
    ...(largest && { example: { ...largest, nullable: false } }),
  };
}

const keptIn = ({ fields }: ObjectShape): readonly Field[] => fields.filter(({ kept }) => kept);

function plainShape(reading: Reading, flat: Flat, place: Place): Shape {
  const nullable = isNullable(flat);
  const words = flat.words?.filter((each) => each !== null);
  const type = flat.types?.find((each) => each !== 'null');
  const [word, more] = words ?? [];
  if (more === undefined && (typeof word === 'string' || typeof word === 'number' || typeof word === 'boolean'))
    return { kind: 'fixed', value: word, nullable };
  const { bounds } = flat;
  if (flat.properties.size > 0 || (type === 'object' && flat.others === undefined))
    return objectShape(reading, flat, place);
  if (type === 'object') {
    const of = flat.others ?? { schema: true, within: [] };
    return { kind: 'map', of: shapeAt(reading, [of], { ...place, path: joined(place.path, '*') }), nullable };
  }
  if (type === 'array') {
    // A body that is a list has the name.
    const item = place.path === '' ? { ...place, hint: `${place.hint}-item` } : place;
    const of = shapeAt(reading, flat.items === undefined ? [] : [flat.items], item);
    return { kind: 'list', of, min: bounds['minItems'], max: bounds['maxItems'], nullable };
  }
  if (type === 'boolean') return { kind: 'flag', nullable };
  if (type === 'number' || type === 'integer') return { ...numberShape(flat, type === 'integer'), nullable };
  if (type === 'string' || words?.every((each) => typeof each === 'string') === true)
    return { ...textShape(flat), nullable };
  return { kind: 'open', nullable };
}

function textShape({ words, bounds, format, pattern, name, says }: Flat) {
  const texts = words?.filter((each) => typeof each === 'string');
  const { minLength: min, maxLength: max } = bounds;
  return { kind: 'text', format, pattern, words: texts, min, max, name, says } as const;
}

function numberShape({ words, bounds }: Flat, whole: boolean) {
  const { minimum: min, maximum: max, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf: step } = bounds;
  const values = words?.filter((each) => typeof each === 'number');
  return { kind: 'number', whole, min, max, above, below, step, values } as const;
}

function objectShape(reading: Reading, flat: Flat, place: Place): Shape {
  const { direction, selection, of } = reading;
  const foreign = direction === 'request' ? 'readOnly' : 'writeOnly';
  const fields = [...flat.properties].flatMap(([name, parts]): Field[] => {
    const path = joined(place.path, name);
    const own = flatOf(reading.schemas, parts);
    const required = flat.required.has(name);
    if (own[foreign]) return [];
    const kept = place.kept && selection.keeps(path, direction, { required, leaf: isLeaf(reading, own) }, of);
    if (!kept && !required) return [];
    const shape = shapeAt(reading, parts, { path, hint: name, kept });
    if (shape.kind === 'again' && !required) {
      reading.note(`${of}: ${path} is ${shape.name} within itself and is left out.`);
      return [];
    }
    return [{ name, shape, required, kept }];
  });
  return {
    kind: 'object',
    name: flat.name ?? place.hint,
    isUnnamed: flat.name === undefined,
    fields,
    nullable: isNullable(flat),
  };
}

function isLeaf(reading: Reading, flat: Flat): boolean {
  if (flat.again !== undefined || flat.properties.size > 0 || flat.alternatives.length > 0) return false;
  const type = flat.types?.find((each) => each !== 'null');
  if (type === 'array') return flat.items !== undefined && isLeaf(reading, flatOf(reading.schemas, [flat.items]));
  return type !== 'object' && (type !== undefined || flat.words !== undefined);
}

const isNullable = ({ types, words }: Flat): boolean =>
  types?.includes('null') === true || words?.includes(null) === true;

export const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
