import type { FactSchema } from '@railyard/conformance/official';

/** A schema at one place of a description, and the names of the schemas that it lies within. */
export interface Part {
  readonly schema: FactSchema;
  readonly within: readonly string[];
}

export type Schemas = Readonly<Record<string, FactSchema>>;

/** Keywords of one value, from all the schemas that must hold for it at once. */
export interface Flat {
  /** Of the schema that a reference named. */
  readonly name?: string | undefined;
  /** The schema that it lies within already, where it is that one again. */
  readonly again?: string | undefined;
  readonly types: readonly string[] | undefined;
  readonly properties: ReadonlyMap<string, readonly Part[]>;
  readonly required: ReadonlySet<string>;
  readonly items?: Part | undefined;
  readonly others?: Part | undefined;
  /** Of each group one holds. */
  readonly alternatives: readonly (readonly Part[])[];
  readonly words: readonly unknown[] | undefined;
  readonly bounds: Readonly<Record<string, number>>;
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  /** A value that the description shows, and its sentence. */
  readonly example?: unknown;
  readonly says?: string | undefined;
}

const NOTHING: Flat = {
  types: undefined,
  properties: new Map(),
  required: new Set(),
  alternatives: [],
  words: undefined,
  bounds: {},
  readOnly: false,
  writeOnly: false,
};

const LEAST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'];
const MOST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'];

const REFERENCE = '#/schemas/';

/** Puts together what holds for one value: references are followed, `allOf` is merged. */
export function flatOf(schemas: Schemas, parts: readonly Part[]): Flat {
  return parts.map((part) => flatOne(schemas, part)).reduce(both, NOTHING);
}

function flatOne(schemas: Schemas, { schema, within }: Part): Flat {
  if (typeof schema === 'boolean') return NOTHING;
  if (typeof schema['$ref'] === 'string') {
    const name = schema['$ref'].replace(REFERENCE, '');
    if (within.includes(name)) return { ...NOTHING, name, again: name };
    const target = flatOne(schemas, { schema: schemas[name] ?? true, within: [...within, name] });
    const { example = target.example, says = target.says } = annotationsOf(schema);
    return { ...target, name, example, says };
  }
  const part = (value: unknown): Part => ({ schema: schemaIn(value), within });
  const own = ownKeywords(schema, part);
  const all = partsIn(schema['allOf']).map((value) => flatOne(schemas, part(value)));
  const [only, second] = all;
  // The whole is none of its parts, unless it is one with a sentence beside it.
  const isOne = second === undefined && own.properties.size === 0 && own.alternatives.length === 0;
  return { ...all.reduce(both, own), name: isOne ? only?.name : undefined };
}

function ownKeywords(schema: Readonly<Record<string, unknown>>, part: (value: unknown) => Part): Flat {
  const properties = Object.entries(recordIn(schema['properties'])).map(
    ([name, each]) => [name, [part(each)]] as const,
  );
  const { items, additionalProperties: others } = schema;
  const numbers = [...LEAST, ...MOST, 'multipleOf'].flatMap((keyword) => {
    const value = schema[keyword];
    return typeof value === 'number' ? [[keyword, value] as const] : [];
  });
  return {
    types: schema['type'] === undefined ? undefined : [schema['type']].flat().map(String),
    properties: new Map(properties),
    required: new Set(partsIn(schema['required']).map(String)),
    ...(items !== undefined && { items: part(items) }),
    ...(typeof others === 'object' && others !== null && { others: part(others) }),
    alternatives: [schema['oneOf'], schema['anyOf']].flatMap((group) =>
      Array.isArray(group) ? [group.map(part)] : [],
    ),
    words: 'const' in schema ? [schema['const']] : Array.isArray(schema['enum']) ? schema['enum'] : undefined,
    bounds: Object.fromEntries(numbers),
    format: textIn(schema['format']),
    pattern: textIn(schema['pattern']),
    readOnly: schema['readOnly'] === true,
    writeOnly: schema['writeOnly'] === true,
    ...annotationsOf(schema),
  };
}

/** OpenAPI has one example of a schema, JSON Schema a list of them. */
function annotationsOf(schema: Readonly<Record<string, unknown>>): Pick<Flat, 'example' | 'says'> {
  const [first] = partsIn(schema['examples']);
  const { example = first } = schema;
  return { ...(example !== undefined && { example }), says: textIn(schema['description']) };
}

/** The keywords that hold where both hold. Of two patterns the first is kept: no one pattern says both. */
function both(one: Flat, other: Flat): Flat {
  const properties = new Map(one.properties);
  for (const [name, parts] of other.properties) properties.set(name, [...(properties.get(name) ?? []), ...parts]);
  const shared = Object.fromEntries(
    Object.keys({ ...one.bounds, ...other.bounds }).map((keyword) => {
      const values = [one.bounds[keyword], other.bounds[keyword]].filter((each) => each !== undefined);
      return [keyword, LEAST.includes(keyword) ? Math.max(...values) : Math.min(...values)];
    }),
  );
  return {
    name: one.name ?? other.name,
    again: one.again ?? other.again,
    types: common(one.types, other.types),
    properties,
    required: new Set([...one.required, ...other.required]),
    items: one.items ?? other.items,
    others: one.others ?? other.others,
    alternatives: [...one.alternatives, ...other.alternatives],
    words: common(one.words, other.words),
    bounds: shared,
    format: one.format ?? other.format,
    pattern: one.pattern ?? other.pattern,
    readOnly: one.readOnly || other.readOnly,
    writeOnly: one.writeOnly || other.writeOnly,
    example: bothExamples(one.example, other.example),
    says: one.says ?? other.says,
  };
}

/** Each part of an object shows its own fields. */
function bothExamples(one: unknown, other: unknown): unknown {
  const isPart = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  return isPart(one) && isPart(other) ? { ...recordIn(other), ...recordIn(one) } : (one ?? other);
}

function common<T>(one: readonly T[] | undefined, other: readonly T[] | undefined): readonly T[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.filter((each) => other.includes(each));
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const partsIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const recordIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

function schemaIn(value: unknown): FactSchema {
  return typeof value === 'boolean' ? value : recordIn(value);
}
