import { createRegistry } from '@railyard/core/registry';
import { expect, test } from 'vitest';
import { exampleMethod } from '../src/methods.ts';
import { session } from './session.ts';

const registry = createRegistry([exampleMethod]);
const today = '2026-01-01';

const pathsOf = (parameters: Record<string, unknown>, amount = '10.00') => {
  const request = session({ parameters: { 'example-method': parameters }, amount });
  const result = registry.validate(request, { today });
  return result.ok ? [] : result.issues.map(({ path }) => path);
};

test('takes a payment without parameters: the payer is asked for the name', () => {
  expect(pathsOf({})).toEqual([]);
});

test.each([
  ['account_name', 70],
  ['statement_text', 22],
])('takes %s of %i characters, and refuses one more', (name, most) => {
  expect(pathsOf({ [name]: 'a'.repeat(most) })).toEqual([]);
  expect(pathsOf({ [name]: 'a'.repeat(most + 1) })).toEqual([`parameters.example-method.${name}`]);
});

test.each([
  ['0.49', false],
  ['0.50', true],
  ['10000.00', true],
  ['10000.01', false],
])('an amount of %s is taken: %s', (amount, taken) => {
  expect(pathsOf({}, amount)).toEqual(taken ? [] : ['order.amount']);
});
