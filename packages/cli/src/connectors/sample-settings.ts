import type { Connector, Method, OperationSpec } from '@railyard/core';
import { fieldInfo, midValueIssues } from '@railyard/core/registry';
import * as z from 'zod';
import { UsageError } from '../commands/command.ts';

/**
 * Made-up settings that a connector's schema accepts.
 *
 * @param url the value of settings that are an address: the simulated provider's
 * @throws UsageError where the schema wants something that cannot be made up
 */
export function sampleSettings({ id, settings }: Connector, url: string = SAMPLE_URL): unknown {
  const made = Object.entries(settings.shape).flatMap(([name, schema]) => {
    const { example } = fieldInfo(schema, name);
    const value = example ?? sampleOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), name, url);
    return z.safeParse(schema, undefined).success || value === undefined ? [] : [[name, value]];
  });
  const parsed = settings.safeParse(Object.fromEntries(made));
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new UsageError(
    `Settings of ${id} are needed (${wrong} cannot be made up): name an account with --mid or --settings.`,
  );
}

const SAMPLE_URL = 'https://provider.example';

/** The values an account would supply: one for each parameter of its methods that only accounts give, where one can be made up. */
export function sampleDefaults({ serves }: Connector): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return Object.fromEntries(serves.map(({ method }) => [method.key, defaultsOf(method)]));
}

function defaultsOf(method: Method): Record<string, unknown> {
  const shapes = Object.values<OperationSpec>(method.operations).flatMap((spec) =>
    'parameters' in spec ? [spec.parameters.shape] : Object.values(spec.variants.cases).map(({ shape }) => shape),
  );
  const values = shapes.flatMap((shape) =>
    Object.entries(shape).flatMap(([name, schema]) => {
      const { sources = [], example } = fieldInfo(schema, name);
      const isNeeded = sources.includes('mid') && !sources.includes('payer') && !z.safeParse(schema, undefined).success;
      const value =
        example ?? sampleOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), name, SAMPLE_URL);
      return isNeeded && midValueIssues(method, { [name]: value }).length === 0 ? [[name, value]] : [];
    }),
  );
  return Object.fromEntries(values);
}

/** A value of a JSON Schema; `undefined` where none is known. */
function sampleOf(schema: z.core.JSONSchema._JSONSchema, name: string, url: string): unknown {
  if (typeof schema === 'boolean') return undefined;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? [];
  if (first !== undefined) return sampleOf(first, name, url);
  switch (schema.type) {
    case 'string':
      if (schema.format === 'uri') return url;
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
