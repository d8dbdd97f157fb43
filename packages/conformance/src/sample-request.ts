import {
  compareMoney,
  currency as findCurrency,
  type Method,
  money,
  moneyOfMinor,
  type Operation,
} from '@railyard/core';
import { fieldInfo, limitFor } from '@railyard/core/registry';
import * as z from 'zod';
import type { SampleSession } from './types.ts';

/** The session request of a sample: what the sample gives over what can be derived from the method. */
export function requestOf(
  method: Method,
  operation: Operation,
  sample: SampleSession,
): Readonly<Record<string, unknown>> {
  const { session = {}, parameters, mid = {}, payer = {} } = sample;
  const given = { ...mid, ...payer };
  const own = parameters ?? derivedParameters(method, operation, given);
  const base = {
    merchant_key: '11111111-2222-4333-8444-555555555555',
    operation,
    methods: [method.key],
    order: orderOf(method, operation, session),
    success_url: 'https://shop.example/done',
    cancel_url: 'https://shop.example/cancel',
    customer: { name: 'Ada Example', email: 'ada@example.com' },
    hash: 'a'.repeat(40),
    ...(operation === 'credit' || operation === 'transfer' ? { payee: { name: 'Ada Example' } } : {}),
    parameters: { [method.key]: own },
  };
  return merged(base, session);
}

function orderOf(method: Method, operation: Operation, session: Readonly<Record<string, unknown>>) {
  const wanted = session.order;
  const named = typeof wanted === 'object' && wanted !== null && 'currency' in wanted ? wanted.currency : undefined;
  const currency = typeof named === 'string' ? named : usualCurrency(method);
  return {
    number: 'order-1',
    amount: amountWithin(method, operation, currency),
    currency,
    description: 'Two books',
  };
}

/** Dollars where the method takes them. */
function usualCurrency({ currencies = ['USD'] }: Method): string {
  return currencies.includes('USD') ? 'USD' : (currencies[0] ?? 'USD');
}

/** An amount of a currency that the method's limits take. */
export function amountWithin({ limits }: Method, operation: Operation, currency: string): string {
  const exponent = findCurrency(currency)?.exponent ?? 2;
  const usual = moneyOfMinor(25n * 10n ** BigInt(exponent), currency);
  const row = limits && limitFor(limits, { operation, amount: usual });
  if (row?.min !== undefined && compareMoney(usual, money(row.min, currency)) < 0) return row.min;
  if (row?.max !== undefined && compareMoney(usual, money(row.max, currency)) > 0) return row.max;
  return usual.text;
}

/** The examples of the required parameters that neither the MID nor the payer gives. */
function derivedParameters(method: Method, operation: Operation, given: Readonly<Record<string, unknown>>) {
  const spec = method.operations[operation];
  const shape = spec !== undefined && 'parameters' in spec ? spec.parameters.shape : {};
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]): [string, unknown][] => {
      const { example, when } = fieldInfo(schema, name);
      if (name in given || when !== undefined || z.safeParse(schema, undefined).success) return [];
      return example === undefined ? [] : [[name, example]];
    }),
  );
}

function isBlock(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Blocks are merged, other values replaced, `undefined` takes a field away. */
export function merged(
  base: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const all = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const before = all[name];
    if (value === undefined) delete all[name];
    else all[name] = isBlock(before) && isBlock(value) ? merged(before, value) : value;
  }
  return all;
}
