import type { FactSchema } from './facts.ts';
import { isRecord } from './pointer.ts';

/** Who writes the value: a field that only the provider writes is no part of a request, and the other way round. */
export type Direction = 'request' | 'reply';

const COMPOSED = ['allOf', 'anyOf', 'oneOf'] as const;

type Schemas = Readonly<Record<string, FactSchema>>;

/** The schemas of a description as a validator takes them. */
export interface ClosedSchemas {
  /** Under `$defs` of one document: as they are in the description, and closed (`Name!`). */
  readonly definitions: Schemas;
  /** The schema with every object in it closed. */
  closed(schema: unknown): FactSchema;
}

/**
 * The schemas of a description for values of one direction. A closed schema refuses fields that the description does not name, which
 * descriptions leave open: a misspelt optional field is otherwise no violation.
 */
export function closedSchemas(schemas: Schemas, direction: Direction): ClosedSchemas {
  const foreign = direction === 'request' ? 'readOnly' : 'writeOnly';

  /** A field that one side alone writes is so where it stands, behind a reference, or as a part of a whole: annotations add up (JSON Schema 2020-12, 9.4). */
  function isForeign(schema: unknown, met: readonly string[] = []): boolean {
    if (!isRecord(schema)) return false;
    if (schema[foreign] === true) return true;
    const parts = Array.isArray(schema.allOf) ? schema.allOf : [];
    return parts.some((each) => isForeign(each, met)) || through(schema, met, isForeign);
  }

  /** The names of fields that are not of this direction, of a schema and of the parts that it is put together of. */
  function foreignNames(schema: unknown, met: readonly string[] = []): readonly string[] {
    if (!isRecord(schema)) return [];
    const own = Object.entries(isRecord(schema.properties) ? schema.properties : {});
    const parts = COMPOSED.flatMap((keyword) => schema[keyword] ?? []);
    return [
      ...own.flatMap(([name, each]) => (isForeign(each) ? [name] : [])),
      ...parts.flatMap((each) => foreignNames(each, met)),
      ...(through(schema, met, foreignNames) || []),
    ];
  }

  /** Asks of the schema that a reference names; of one that was met on the way it asks nothing. */
  function through<T>(
    { $ref }: Readonly<Record<string, unknown>>,
    met: readonly string[],
    ask: (schema: unknown, met: readonly string[]) => T,
  ): T | false {
    if (typeof $ref !== 'string' || met.includes($ref)) return false;
    return ask(schemas[$ref.replace('#/schemas/', '')], [...met, $ref]);
  }

  function closed(schema: unknown): FactSchema {
    if (!isRecord(schema)) return schema !== false;
    if (typeof schema.$ref === 'string') return { $ref: `${definition(schema.$ref)}!` };
    const given = open(schema);
    const isObject = schema.properties !== undefined || COMPOSED.some((keyword) => schema[keyword] !== undefined);
    if (!isRecord(given) || !isObject || schema.additionalProperties !== undefined) return given;
    return { ...given, unevaluatedProperties: false };
  }

  /** The schema as it is, with the objects below its fields closed. @param names foreign ones of the whole that it is a part of */
  function open(schema: unknown, names: readonly string[] = foreignNames(schema)): FactSchema {
    if (!isRecord(schema)) return schema !== false;
    if (typeof schema.$ref === 'string') return { $ref: definition(schema.$ref) };
    const result: Record<string, unknown> = { ...schema };
    if (isRecord(schema.properties))
      result.properties = Object.fromEntries(
        Object.entries(schema.properties).flatMap(([name, each]) => (isForeign(each) ? [] : [[name, closed(each)]])),
      );
    if (Array.isArray(schema.required)) result.required = schema.required.filter((name) => !names.includes(name));
    if (schema.items !== undefined) result.items = closed(schema.items);
    if (isRecord(schema.additionalProperties)) result.additionalProperties = closed(schema.additionalProperties);
    for (const keyword of COMPOSED) {
      const members = schema[keyword];
      if (Array.isArray(members)) result[keyword] = members.map((each) => open(each, names));
    }
    return result;
  }

  const definitions = Object.entries(schemas).flatMap(([name, schema]) => [
    [name, open(schema)] as const,
    [`${name}!`, closed(schema)] as const,
  ]);
  return { definitions: Object.fromEntries(definitions), closed };
}

const definition = (reference: string): string => reference.replace('#/schemas/', '#/$defs/');
