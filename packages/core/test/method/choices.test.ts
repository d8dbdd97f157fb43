import * as z from 'zod';
import { expect, test } from 'vitest';
import { field } from '../../src/index.ts';
import { choicesOf } from '../../src/registry.ts';

const kinds = z.enum(['CPF', 'CNPJ']);

test.each([
  ['an enumeration', kinds],
  ['an optional one', kinds.optional()],
  ['one with a default', kinds.default('CPF')],
  ['one that is made when it is read', z.lazy(() => kinds)],
  ['an optional one that is made when it is read', z.lazy(() => kinds).optional()],
  ['one that may be null', kinds.nullable()],
  ['literals', z.union([z.literal('CPF'), z.literal('CNPJ')])],
])('the choices of %s are its values', (_name, schema) => {
  expect(choicesOf(schema)).toEqual([
    { value: 'CPF', label: 'CPF' },
    { value: 'CNPJ', label: 'CNPJ' },
  ]);
});

test('a choice has the name that its field gives it', () => {
  const named = field(kinds, { label: 'Document type', names: { CPF: 'Person (CPF)' } }).optional();
  expect(choicesOf(named)).toEqual([
    { value: 'CPF', label: 'Person (CPF)' },
    { value: 'CNPJ', label: 'CNPJ' },
  ]);
});

test.each([
  ['a text', z.string()],
  ['a text that is made when it is read', z.lazy(() => z.string())],
  ['a number', z.number()],
  ['numbers', z.literal([1, 2])],
  ['a flag', z.boolean()],
  ['an object', z.object({ a: kinds })],
])('%s has none', (_name, schema) => {
  expect(choicesOf(schema)).toBe(undefined);
});
