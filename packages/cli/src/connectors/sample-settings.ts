import { type Connector, fieldInfo } from '@railyard/core';
import * as z from 'zod';
import { UsageError } from '../commands/command.ts';

/**
 * Made-up settings that a connector's schema accepts.
 *
 * @param more values that are known, such as the address of a simulated provider
 * @throws UsageError where the schema wants something that cannot be made up
 */
export function sampleSettings({ id, settings }: Connector, more: Readonly<Record<string, unknown>> = {}): unknown {
  const made = Object.entries(settings.shape).flatMap(([name, schema]) => {
    const { example } = fieldInfo(schema, name);
    const value = example ?? sampleOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), name);
    return z.safeParse(schema, undefined).success || value === undefined ? [] : [[name, value]];
  });
  const parsed = settings.safeParse({ ...Object.fromEntries(made), ...more });
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new UsageError(
    `Settings of ${id} are needed (${wrong} cannot be made up): name an account with --mid or --settings.`,
  );
}

/** A value of a JSON Schema; `undefined` where none is known. */
export function sampleOf(schema: z.core.JSONSchema._JSONSchema, name: string): unknown {
  if (typeof schema === 'boolean') return undefined;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? [];
  if (first !== undefined) return sampleOf(first, name);
  switch (schema.type) {
    case 'string':
      if (schema.format === 'uri') return 'https://provider.example';
      return `sample-${name}`.padEnd(schema.minLength ?? 0, '0').slice(0, schema.maxLength);
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    default:
      return undefined;
  }
}
