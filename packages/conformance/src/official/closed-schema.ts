import type { FactSchema } from './facts.ts';
import { isRecord } from './pointer.ts';

/** Who writes the value: a field that only the provider writes is no part of a request, and the other way round. */
export type Direction = 'request' | 'reply';

const COMPOSED = ['allOf', 'anyOf', 'oneOf'] as const;

/**
 * The schemas under `$defs` of one document for a validator: as they are in the description, and closed (`Name!`). A closed schema refuses
 * fields that the description does not name, which descriptions leave open: a misspelt optional field is otherwise no violation.
 */
export function definitionsOf(
  schemas: Readonly<Record<string, FactSchema>>,
  direction: Direction,
): Readonly<Record<string, FactSchema>> {
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => [
      [name, open(schema, direction)],
      [`${name}!`, closed(schema, direction)],
    ]),
  );
}

/** The schema with every object in it closed. */
export function closed(schema: unknown, direction: Direction): FactSchema {
  if (!isRecord(schema)) return schema !== false;
  if (typeof schema.$ref === 'string') return { $ref: `${definition(schema.$ref)}!` };
  const given = open(schema, direction);
  const isObject = schema.properties !== undefined || COMPOSED.some((keyword) => schema[keyword] !== undefined);
  if (!isRecord(given) || !isObject || schema.additionalProperties !== undefined) return given;
  return { ...given, unevaluatedProperties: false };
}

/** The schema as it is, with the objects below its fields closed. */
function open(schema: unknown, direction: Direction): FactSchema {
  if (!isRecord(schema)) return schema !== false;
  if (typeof schema.$ref === 'string') return { $ref: definition(schema.$ref) };
  const result: Record<string, unknown> = { ...schema };
  if (isRecord(schema.properties)) Object.assign(result, fieldsOf(schema, schema.properties, direction));
  if (schema.items !== undefined) result.items = closed(schema.items, direction);
  if (isRecord(schema.additionalProperties))
    result.additionalProperties = closed(schema.additionalProperties, direction);
  for (const keyword of COMPOSED) {
    const members = schema[keyword];
    if (Array.isArray(members)) result[keyword] = members.map((each) => open(each, direction));
  }
  return result;
}

function fieldsOf(
  { required }: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, unknown>>,
  direction: Direction,
): Record<string, unknown> {
  const foreign = direction === 'request' ? 'readOnly' : 'writeOnly';
  const own = Object.entries(properties).filter(([, each]) => !isRecord(each) || each[foreign] !== true);
  const names = new Set(own.map(([name]) => name));
  return {
    properties: Object.fromEntries(own.map(([name, each]) => [name, closed(each, direction)])),
    ...(Array.isArray(required) && {
      required: required.filter((name) => names.has(name) || !Object.hasOwn(properties, name)),
    }),
  };
}

const definition = (reference: string): string => reference.replace('#/schemas/', '#/$defs/');
