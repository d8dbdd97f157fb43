import { expect, test } from 'vitest';
import { declined, money, pending, type Reasons, settled, unlessTakenBefore, withReason } from '../../src/index.ts';

const reasons: Reasons = new Map([['51', { kind: 'soft', code: 'insufficient_funds' }]]);
const refused = declined('hard', 'declined_by_provider', {
  reason: 'Refused.',
  providerReference: 'pay-1',
  provider: { code: '51' },
});

test('a decline has the reason of its code', () => {
  expect(withReason(refused, reasons, '51')).toEqual({
    ...refused,
    kind: 'soft',
    code: 'insufficient_funds',
    reason: 'There is not enough money in the account.',
  });
});

test.each(['52', undefined, 'constructor'])('a code that is not known, %s, changes nothing', (code) => {
  expect(withReason(refused, reasons, code)).toBe(refused);
});

test.each([settled('pay-1', money('1.00', 'EUR')), pending('pay-1')])(
  'what is no decline stays as it is',
  (outcome) => {
    expect(withReason(outcome, reasons, '51')).toBe(outcome);
  },
);

test('a refusal because the reference was used before is unknown, with the provider’s word and without a reference', () => {
  expect(unlessTakenBefore(refused, new Set(['51']))).toEqual({
    status: 'unknown',
    why: 'The provider has a request under this reference already.',
    provider: { code: '51' },
  });
});

test.each([
  refused,
  declined('hard', 'declined_by_provider', { reason: 'Refused.' }),
  pending('pay-1', undefined, { provider: { code: '52' } }),
])('what says nothing of that stays as it is', (outcome) => {
  expect(unlessTakenBefore(outcome, new Set(['52']))).toBe(outcome);
});
