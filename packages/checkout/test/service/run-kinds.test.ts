import { MODIFICATIONS } from '@railyard/core/payment';
import { expect, test } from 'vitest';
import { kindOfRun, RUN_KINDS } from '../../src/payments/runs/kinds.ts';

const purchase = { operation: 'purchase', mandateId: null } as const;

test.each([
  ['purchase', purchase, 'operation'],
  ['credit', { operation: 'credit', mandateId: null }, 'operation'],
  ['purchase', { operation: 'purchase', mandateId: crypto.randomUUID() }, 'mandateCharge'],
  ['renew', purchase, 'renewal'],
  ['withdraw', purchase, 'withdrawal'],
  ...Object.keys(MODIFICATIONS).map((modification) => [modification, purchase, 'modification'] as const),
] as const)('a run of %s on %o is of the kind %s', (purpose, payment, kind) => {
  expect(kindOfRun(payment, { purpose })).toBe(kind);
});

test('a flow asks a payer in an operation and in a renewal alone', () => {
  const asking = Object.entries(RUN_KINDS).filter(([, { mayAskPayer }]) => mayAskPayer);
  expect(asking.map(([name]) => name)).toEqual(['operation', 'renewal']);
});

test('a modification, a renewal and a withdrawal wait for an account that is not called', () => {
  const waiting = Object.entries(RUN_KINDS).filter(([, { waitsForAccount }]) => waitsForAccount);
  expect(waiting.map(([name]) => name)).toEqual(['modification', 'renewal', 'withdrawal']);
});

test('an account that is not reached declines no renewal and no withdrawal: the payer may still pay', () => {
  const unclear = Object.entries(RUN_KINDS).filter(([, { mayEndDeclined }]) => !mayEndDeclined);
  expect(unclear.map(([name]) => name)).toEqual(['renewal', 'withdrawal']);
});
