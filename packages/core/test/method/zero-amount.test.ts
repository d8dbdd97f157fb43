import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineMethod, field, type OperationSpec } from '../../src/index.ts';
import { createRegistry, type MethodProfile, profileOf } from '../../src/registry.ts';
import { lines, request, today } from './support.ts';

const ZERO = 'amount: This value should be greater than 0.';

const word = field(z.enum(['refused', 'verified']).default('refused'), {
  label: 'Zero',
  sources: ['mid'],
  request: false,
});
const methodOf = (zeroAmount: OperationSpec['zeroAmount']) =>
  defineMethod({
    key: 'till',
    title: 'Till',
    operations: {
      purchase: {
        parameters: z.strictObject({ zero: word }),
        completion: [],
        ...(zeroAmount !== undefined && { zeroAmount }),
      },
    },
  });
const byAccount = methodOf({ path: 'parameters.zero', in: ['verified'] });

function answer(method: typeof byAccount, entry?: MethodProfile) {
  const order = { number: 'order-1', amount: '0.00', currency: 'USD', description: 'Card check' };
  const body = request({ methods: ['till'], order, recurring_init: true });
  const profile = entry && { methods: { till: entry } };
  return lines(createRegistry([method]).validate(body, { today, ...(profile && { profile }) }));
}

test('a zero amount is taken by methods that say so', () => {
  expect(answer(methodOf(true))).toEqual([]);
  expect(answer(methodOf(undefined))).toEqual([ZERO]);
  expect(answer(methodOf(false))).toEqual([ZERO]);
});

test('a zero amount is taken where an account of the method does, and the profile says so', () => {
  const verifies = profileOf(byAccount, { values: { zero: 'verified' } });
  const refuses = profileOf(byAccount, {});
  expect(verifies.values).toEqual({ zero: 'verified' });
  expect(answer(byAccount, verifies)).toEqual([]);
  expect(answer(byAccount, refuses)).toEqual([ZERO]);
  expect(answer(byAccount, { ...refuses, more: [verifies] })).toEqual([]);
});

test('a zero amount may be fine where nothing is known of the account', () => {
  expect(answer(byAccount)).toEqual([]);
});
