/** A JSON Schema as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Narrower: an accepted value may now be refused. Wider: more is accepted. Unclear: no rule decides, so the worse is assumed. */
export interface SchemaChange {
  readonly kind: 'narrower' | 'wider' | 'unclear';
  readonly says: string;
}

const TEXTS = new Set(['title', 'description', 'examples', '$schema', 'x-railyard']);

/** The rules of a schema, without texts for people. */
export function withoutTexts(schema: object): JsonSchema {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (!isSchema(value)) return value;
    return withoutTexts(value);
  };
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]: [string, unknown]) => {
      if (TEXTS.has(name)) return [];
      // The names under "properties" are names of fields, whatever they are called.
      if (name === 'properties' && isSchema(value))
        return [[name, Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, strip(inner)]))]];
      return [[name, strip(value)]];
    }),
  );
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keywords with a number: whether a higher one refuses more. */
const NUMBERS: ReadonlyMap<string, 'least' | 'most'> = new Map([
  ['minLength', 'least'],
  ['minimum', 'least'],
  ['exclusiveMinimum', 'least'],
  ['minItems', 'least'],
  ['maxLength', 'most'],
  ['maximum', 'most'],
  ['exclusiveMaximum', 'most'],
  ['maxItems', 'most'],
]);

/** Keywords that are there or not: each is one more condition. */
const CONDITIONS = new Set(['pattern', 'format', 'allOf', 'not', 'multipleOf', 'uniqueItems']);

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** How what a schema accepts has changed. */
export function schemaChanges(before: JsonSchema, after: JsonSchema): SchemaChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => (same(before[name], after[name]) ? [] : keywordChanges(name, before, after)));
}

function keywordChanges(name: string, before: JsonSchema, after: JsonSchema): SchemaChange[] {
  const [old, now] = [before[name], after[name]];
  const edge = NUMBERS.get(name);
  if (edge !== undefined) return [numberChange(name, edge, old, now)];
  if (name === 'enum' || name === 'const') return setChanges(choices(before), choices(after), 'the choice');
  if (name === 'anyOf' || name === 'oneOf') return setChanges(listOf(old), listOf(now), 'the form');
  if (CONDITIONS.has(name)) {
    if (old === undefined) return [{ kind: 'narrower', says: `${name} is asked for` }];
    return now === undefined ? [{ kind: 'wider', says: `${name} is no longer asked for` }] : [unclear(name)];
  }
  if (name === 'properties' && isSchema(old) && isSchema(now)) return propertyChanges(old, now);
  if (name === 'required') return requiredChanges(listOf(old), listOf(now));
  if (name === 'items' && isSchema(old) && isSchema(now))
    return schemaChanges(old, now).map(({ kind, says }) => ({ kind, says: `each item: ${says}` }));
  if (name === 'additionalProperties' && now === undefined)
    return [{ kind: 'wider', says: 'unknown names are accepted' }];
  if (name === 'default')
    return [{ kind: 'wider', says: `its default is ${JSON.stringify(now)}, before ${JSON.stringify(old)}` }];
  return [unclear(name)];
}

const unclear = (name: string): SchemaChange => ({ kind: 'unclear', says: `${name} has changed` });

function numberChange(name: string, edge: 'least' | 'most', old: unknown, now: unknown): SchemaChange {
  const open = edge === 'least' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const [from, to] = [typeof old === 'number' ? old : open, typeof now === 'number' ? now : open];
  const narrower = edge === 'least' ? to > from : to < from;
  return {
    kind: narrower ? 'narrower' : 'wider',
    says: `${name} is ${String(now ?? 'gone')}, before ${String(old ?? 'none')}`,
  };
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

const choices = (schema: JsonSchema) => listOf(schema['enum'] ?? schema['const']);

/** Alternatives: without any, everything is accepted. */
function setChanges(old: readonly unknown[], now: readonly unknown[], what: string): SchemaChange[] {
  if (old.length === 0) return [{ kind: 'narrower', says: `${what} is limited to ${texts(now)}` }];
  if (now.length === 0) return [{ kind: 'wider', says: `${what} is no longer limited` }];
  const gone = old.filter((each) => !now.some((other) => same(each, other)));
  const added = now.filter((each) => !old.some((other) => same(each, other)));
  const changes: SchemaChange[] = [];
  if (gone.length > 0) changes.push({ kind: 'narrower', says: `${what} ${texts(gone)} is gone` });
  if (added.length > 0) changes.push({ kind: 'wider', says: `${what} ${texts(added)} is new` });
  return changes;
}

const texts = (values: readonly unknown[]) => values.map((each) => JSON.stringify(each)).join(', ');

function propertyChanges(old: JsonSchema, now: JsonSchema): SchemaChange[] {
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...names].flatMap((name): SchemaChange[] => {
    const [from, to] = [old[name], now[name]];
    if (!isSchema(to)) return [{ kind: 'narrower', says: `${name} is gone` }];
    if (!isSchema(from)) return [{ kind: 'wider', says: `${name} is new` }];
    return schemaChanges(from, to).map(({ kind, says }) => ({ kind, says: `${name}: ${says}` }));
  });
}

function requiredChanges(old: readonly unknown[], now: readonly unknown[]): SchemaChange[] {
  return [
    ...now
      .filter((name) => !old.includes(name))
      .map((name) => ({ kind: 'narrower' as const, says: `${String(name)} is required` })),
    ...old
      .filter((name) => !now.includes(name))
      .map((name) => ({ kind: 'wider' as const, says: `${String(name)} is no longer required` })),
  ];
}
