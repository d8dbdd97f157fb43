import * as z from 'zod';
import { describeCondition } from './condition.ts';
import type { Method, OperationSpec } from './define-method.ts';
import { fieldInfo, SOURCES } from './field.ts';
import type { LimitRow } from './limits.ts';
import { OPERATIONS, type Operation } from './operation.ts';
import { english } from '../payer-text.ts';
import { shapeWithin } from './shape-within.ts';

/** One row of a parameter table. */
export interface ParameterDescription {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly required: boolean;
  /** Where else the value may come from when the request does not carry it. */
  readonly sources: readonly string[];
  readonly when?: string;
  readonly variant?: string;
  readonly help?: string;
}

export interface OperationDescription {
  readonly operation: Operation;
  readonly completion: readonly string[];
  readonly parameters: readonly ParameterDescription[];
  readonly needs: readonly ParameterDescription[];
  readonly rules: readonly string[];
}

export interface MethodDescription {
  readonly key: string;
  readonly title: string;
  readonly currencies: readonly string[];
  /** Where its payers are, or the payees of a credit. */
  readonly countries: readonly string[];
  /** Why payers of other countries are taken too; without it they are refused, unless `countries` is empty. */
  readonly elsewhere?: string;
  readonly operations: readonly OperationDescription[];
  readonly limits: { readonly source: string; readonly rows: readonly LimitRow[] } | undefined;
}

/**
 * The methods of a registry as plain data: what tables, a console and a command line show. A function of its own, so that a page which only
 * validates does not carry it.
 */
export function describeMethods({ methods }: { readonly methods: readonly Method[] }): readonly MethodDescription[] {
  return methods.map(describeMethod);
}

function describeMethod(method: Method): MethodDescription {
  const operations = OPERATIONS.flatMap((operation) => {
    const spec = method.operations[operation];
    return spec === undefined ? [] : [describeOperation(operation, spec)];
  });
  return {
    key: method.key,
    title: english(method.title),
    currencies: method.currencies ?? [],
    countries: method.countries ?? method.home?.countries ?? [],
    ...(method.home && { elsewhere: method.home.elsewhere }),
    operations,
    limits: method.limits,
  };
}

function describeOperation(operation: Operation, spec: OperationSpec): OperationDescription {
  const cases: [string | undefined, z.ZodObject][] =
    'parameters' in spec ? [[undefined, spec.parameters]] : Object.entries(spec.variants.cases);
  return {
    operation,
    completion: spec.completion,
    parameters: cases.flatMap(([variant, schema]) =>
      Object.entries(schema.shape).flatMap(([name, each]) => describeWithin(name, each, variant)),
    ),
    needs: Object.entries(spec.needs ?? {}).map(([path, schema]) => describeField(path, schema, undefined)),
    rules: (spec.rules ?? []).map((rule) => rule.says),
  };
}

/** A parameter and, where it is an object or a list of them, what is within it, `cart.items.name`; an object within itself once. */
function describeWithin(
  name: string,
  schema: z.core.$ZodType,
  variant: string | undefined,
  around: readonly unknown[] = [],
): ParameterDescription[] {
  const shape = shapeWithin(schema);
  const own = describeField(name, schema, variant);
  if (shape === undefined || around.includes(shape)) return [own];
  const describe = ([each, type]: [string, z.core.$ZodType]) =>
    describeWithin(`${name}.${each}`, type, variant, [...around, shape]);
  return [own, ...Object.entries(shape).flatMap(describe)];
}

function describeField(name: string, schema: z.core.$ZodType, variant: string | undefined): ParameterDescription {
  const info = fieldInfo(schema, name);
  return {
    name,
    label: english(info.label),
    type: typeInWords(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
    required: !z.safeParse(schema, undefined).success,
    sources: SOURCES.filter((source) => info.sources?.includes(source)),
    ...(info.when && { when: describeCondition(info.when) }),
    ...(variant !== undefined && { variant }),
    ...(info.help !== undefined && { help: english(info.help) }),
  };
}

/** A JSON Schema type in a few words, for a table cell. */
function typeInWords(schema: z.core.JSONSchema._JSONSchema): string {
  if (typeof schema === 'boolean') return 'value';
  const choices = schema.const === undefined ? schema.enum : [schema.const];
  if (choices) return choices.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.anyOf) return schema.anyOf.map(typeInWords).join(' or ');
  if (schema.type === 'array' && schema.items !== undefined && !Array.isArray(schema.items))
    return `array of ${typeInWords(schema.items)}`;
  const { type, format, minLength, maxLength } = schema;
  const parts = [type === undefined ? 'value' : [type].flat().join(' or ')];
  if (format !== undefined) parts.push(format);
  if (minLength !== undefined && minLength === maxLength) parts.push(`of ${minLength}`);
  else if (minLength !== undefined && maxLength !== undefined) parts.push(`${minLength}-${maxLength}`);
  else if (maxLength !== undefined) parts.push(`max ${maxLength}`);
  else if (minLength !== undefined) parts.push(`min ${minLength}`);
  return parts.join(' ');
}
