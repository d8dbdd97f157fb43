import { DATA_KEY, protocolName } from './protocol-name.ts';
import { type Shape, shapeWithin, type Within } from './reply-shape.ts';

/** A difference between a reply and its declaration: see `Sighting`. */
export interface Difference {
  readonly kind: 'unnamed-field' | 'missing-optional';
  readonly place: string;
  readonly form: string;
}

/** Deeper and longer than that nothing is looked at, so that the time of a comparison has a limit whatever is answered. */
const DEEPEST = 8;
const MOST_ITEMS = 20;
/** Of one reply; a provider that answers a map where a record was expected would fill everything. */
const MOST_DIFFERENCES = 32;
const LONGEST_PLACE = 256;

/** The names in a reply that its shape does not have, and the shape's names that it lacks: each once, however often lists repeat it. */
export function differencesOf(shape: Shape, body: unknown): readonly Difference[] {
  const found = new Map<string, Difference>();
  compare(shape, body, '', 0, found);
  return [...found.values()];
}

type Found = Map<string, Difference>;

function compare(shape: Shape, value: unknown, path: string, depth: number, found: Found): void {
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return;
  if (Array.isArray(value)) return compareItems(shape, value, path, depth, found);
  // One element of XML stands for a list of one.
  if (shape.items !== undefined && !shape.isObject && shape.values === undefined)
    return compareItems(shape, [value], path, depth, found);
  for (const name in value) {
    const given: unknown = Reflect.get(value, name);
    const field = shape.fields.get(name);
    if (field !== undefined) descend(field, given, () => below(path, name), depth, found);
    // In a map the names are data, whatever they look like.
    else if (shape.values !== undefined) descend(shape.values, given, () => below(path, DATA_KEY), depth, found);
    else if (shape.isObject && !shape.open)
      add(found, 'unnamed-field', below(path, protocolName(name)), jsonKind(given));
  }
  for (const name of shape.optional)
    if (Reflect.get(value, name) === undefined) add(found, 'missing-optional', below(path, name), '');
}

function compareItems(shape: Shape, list: readonly unknown[], path: string, depth: number, found: Found): void {
  if (shape.items === undefined) return;
  for (const item of list.slice(0, MOST_ITEMS)) descend(shape.items, item, () => `${path}[]`, depth, found);
}

function descend(place: Within, value: unknown, path: () => string, depth: number, found: Found): void {
  if (typeof value === 'object' && value !== null) compare(shapeWithin(place), value, path(), depth + 1, found);
}

function add(found: Found, kind: Difference['kind'], place: string, form: string): void {
  if (found.size < MOST_DIFFERENCES && place.length <= LONGEST_PLACE)
    found.set(`${kind} ${form} ${place}`, { kind, place, form });
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** A path of zod within a reply as a place: a number is an item, and in a map the names are data. */
export function placeOf(shape: Shape, path: readonly PropertyKey[]): string {
  let at: Shape | undefined = shape;
  let place = '';
  for (const name of path.slice(0, DEEPEST)) {
    const field: Within | undefined = typeof name === 'string' ? at?.fields.get(name) : at?.items;
    if (typeof name !== 'string') place += '[]';
    else if (field !== undefined) place = below(place, name);
    else place = below(place, at?.values === undefined ? protocolName(name) : DATA_KEY);
    const next: Within | undefined = field ?? at?.values;
    at = next && shapeWithin(next);
  }
  return place;
}

/** The kind of JSON that a value is. */
export function jsonKind(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
