import type { FactSchema } from './facts.ts';
import { isRecord } from './pointer.ts';

/** The schemas that were met: their pointers in the description and their names among the facts. */
export interface Names {
  readonly description: Readonly<Record<string, unknown>>;
  readonly schemas: Map<string, string>;
  /** Pointers whose schemas are not reduced yet. */
  readonly waiting: string[];
  /** References that lead out of the description. */
  readonly elsewhere: Set<string>;
  /** Whether sentences and examples are kept too. */
  readonly annotated: boolean;
}

/** Keywords that say what a value must look like, and mean the same in OpenAPI 3.0, 3.1 and JSON Schema. */
const KEPT = [
  'enum',
  'const',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'required',
  'readOnly',
  'writeOnly',
] as const;

/** Keywords that say what a value means, and show one. */
const ANNOTATIONS = ['description', 'example', 'examples'] as const;

/** Reduces one schema; schemas that it refers to are named and wait for their turn. */
export function reduceSchema(names: Names, given: unknown): FactSchema {
  if (typeof given === 'boolean') return given;
  if (!isRecord(given)) return {};
  const within = (value: unknown) => reduceSchema(names, value);
  if (typeof given.$ref === 'string') return referred(names, given, given.$ref);
  const reduced: Record<string, unknown> = {};
  const type = typeOf(given);
  if (type !== undefined) reduced.type = type;
  for (const keyword of KEPT) if (given[keyword] !== undefined) reduced[keyword] = given[keyword];
  Object.assign(reduced, annotationsOf(names, given));
  if (given.nullable === true && Array.isArray(given.enum)) reduced.enum = [...given.enum, null];
  Object.assign(
    reduced,
    exclusive(given, 'minimum', 'exclusiveMinimum'),
    exclusive(given, 'maximum', 'exclusiveMaximum'),
  );
  if (given.items !== undefined) reduced.items = within(given.items);
  if (given.not !== undefined) reduced.not = within(given.not);
  if (given.additionalProperties !== undefined) reduced.additionalProperties = within(given.additionalProperties);
  if (isRecord(given.properties))
    reduced.properties = Object.fromEntries(
      Object.entries(given.properties).map(([name, value]) => [name, within(value)]),
    );
  for (const keyword of ['allOf', 'anyOf', 'oneOf'])
    if (Array.isArray(given[keyword]))
      reduced[keyword] = given[keyword].map((member) => discriminated(given.discriminator, member, within(member)));
  return reduced;
}

/**
 * A reference with what stands beside it. OpenAPI 3.1 takes all of it (Schema Object); 3.0 takes nothing, but descriptions say there that a
 * field is the provider's, and mean it.
 */
function referred(names: Names, given: Readonly<Record<string, unknown>>, pointer: string): FactSchema {
  if (!pointer.startsWith('#')) {
    names.elsewhere.add(pointer);
    return {};
  }
  const reference = { $ref: `#/schemas/${nameOf(names, pointer)}` };
  const { $ref: _, readOnly, writeOnly, description: _said, example: _one, examples: _all, ...more } = given;
  const isWhole = String(names.description.openapi).startsWith('3.0');
  const beside = reduceSchema(names, { readOnly, writeOnly, ...(isWhole ? {} : more) });
  const whole = isRecord(beside) && Object.keys(beside).length > 0 ? { allOf: [reference], ...beside } : reference;
  return { ...whole, ...annotationsOf(names, given) };
}

function annotationsOf({ annotated }: Names, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = annotated ? ANNOTATIONS.filter((keyword) => given[keyword] !== undefined) : [];
  return Object.fromEntries(kept.map((keyword) => [keyword, given[keyword]]));
}

/**
 * One of several alternatives with the words of its discriminator: OpenAPI chooses by them, and JSON Schema knows no discriminator. The
 * mapping names a schema by its name or by its pointer (OpenAPI 3.0.3, Discriminator Object).
 */
function discriminated(discriminator: unknown, member: unknown, reduced: FactSchema): FactSchema {
  if (!isRecord(discriminator) || !isRecord(discriminator.mapping) || !isRecord(member)) return reduced;
  const { propertyName, mapping } = discriminator;
  const pointer = String(member.$ref);
  const words = Object.keys(mapping).filter(
    (word) => pointer === mapping[word] || pointer.endsWith(`/${mapping[word]}`),
  );
  return words.length === 0
    ? reduced
    : { allOf: [reduced], properties: { [String(propertyName)]: { enum: words } }, required: [propertyName] };
}

/** OpenAPI 3.0 writes `nullable` where JSON Schema names a second type. */
function typeOf({ type, nullable }: Readonly<Record<string, unknown>>): unknown {
  if (nullable !== true || type === undefined) return type;
  return [...(Array.isArray(type) ? type : [type]), 'null'];
}

/** OpenAPI 3.0 writes `exclusiveMinimum: true` beside the bound; 3.1 and JSON Schema write the bound itself. */
function exclusive(given: Readonly<Record<string, unknown>>, bound: string, keyword: string): Record<string, unknown> {
  if (given[keyword] === undefined) return {};
  return given[keyword] === true ? { [bound]: undefined, [keyword]: given[bound] } : { [keyword]: given[keyword] };
}

function nameOf(names: Names, pointer: string): string {
  const known = names.schemas.get(pointer);
  if (known !== undefined) return known;
  const name = (pointer.split('/').at(-1) ?? '').replaceAll(/[^\w.-]/g, '_');
  const taken = new Set(names.schemas.values());
  const free = taken.has(name) ? `${name}_${taken.size}` : name;
  names.schemas.set(pointer, free);
  names.waiting.push(pointer);
  return free;
}
