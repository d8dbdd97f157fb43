import * as z from 'zod';
import type { Method } from './define-method.ts';
import { FIELD, fieldInfo, isFieldInfo } from './field.ts';
import { english } from '../payer-text.ts';
import type { Operation } from './operation.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * JSON Schema (2020-12) of `parameters.<key>` for one operation. It is never stricter than `validate`: a field is optional here where the MID,
 * the payer or a default may supply it or where it applies only sometimes, and checks that JSON Schema cannot express are left out.
 *
 * @throws Error when there is no such method or operation.
 */
export function jsonSchemaOf(
  { find }: { find(key: string): Method | undefined },
  key: string,
  operation: Operation,
): JsonSchema {
  const spec = find(key)?.operations[operation];
  if (spec === undefined) throw new Error(`No method "${key}" with the operation "${operation}" is registered.`);
  if ('parameters' in spec) return submission(spec.parameters);
  const cases = Object.entries(spec.variants.cases).map(([value, schema]) => {
    // Only the root of a document names its dialect.
    const { $schema: _root, ...rest } = submission(schema);
    return { ...rest, title: `${spec.variants.by} is ${value}` };
  });
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', anyOf: cases };
}

function submission(schema: z.ZodObject): JsonSchema {
  const shape: Record<string, z.core.$ZodType> = {};
  for (const [name, each] of Object.entries(schema.shape)) {
    const { sources = [], when, request } = fieldInfo(each, name);
    if (request === false) continue;
    shape[name] = sources.length > 0 || when !== undefined ? z.optional(each) : each;
  }
  return z.toJSONSchema(z.strictObject(shape), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => plain(jsonSchema),
  });
}

/** Turns what `field` attached into keywords that every validator knows. */
function plain(schema: JsonSchema): void {
  const info = schema[FIELD];
  delete schema[FIELD];
  if (!isFieldInfo(info)) return;
  schema.title = english(info.label);
  if (info.help !== undefined) schema.description = english(info.help);
  if (info.example !== undefined) schema.examples = [info.example];
}
