import * as z from 'zod';
import type { Method } from './define-method.ts';
import { fieldInfo } from './field.ts';
import type { Operation } from './operation.ts';

/**
 * JSON Schema (2020-12) of `parameters.<key>` for one operation. A field that the MID, the payer or a default may supply is optional here,
 * because the merchant's request may leave it out.
 *
 * @throws Error when there is no such method or operation.
 */
export function methodJsonSchema(
  method: Method | undefined,
  key: string,
  operation: Operation,
): z.core.JSONSchema.BaseSchema {
  const spec = method?.operations[operation];
  if (spec === undefined) throw new Error(`No method "${key}" with the operation "${operation}" is registered.`);
  if ('parameters' in spec) return z.toJSONSchema(submission(spec.parameters), { io: 'input' });
  const cases = Object.entries(spec.variants.cases).map(([value, schema]) => ({
    ...z.toJSONSchema(submission(schema), { io: 'input' }),
    title: `${spec.variants.by} is ${value}`,
  }));
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', anyOf: cases };
}

function submission(schema: z.ZodObject): z.ZodObject {
  const shape: Record<string, z.core.$ZodType> = {};
  for (const [name, each] of Object.entries(schema.shape))
    shape[name] = (fieldInfo(each, name).sources ?? []).length > 0 ? z.optional(each) : each;
  return z.strictObject(shape);
}
