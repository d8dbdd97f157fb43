import { createRegistry } from '@railyard/core/registry';
import { answersOf } from '../../../core/test/support/answers.ts';
import { type Parameters, sessionWith } from '../../../core/test/support/session-of.ts';
import * as methods from '../../src/methods.ts';

export const registry = createRegistry(Object.values(methods));
export const today = '2026-11-21';

const orderOf = (amount: string, currency: string) => ({
  number: 'order-1',
  amount,
  currency,
  description: 'Two books',
});

/** A session request; `more` overrides its fields. */
export const sessionOf = sessionWith(
  { amount: '100.50', currency: 'KES', description: 'Two books' },
  { customer: { name: 'Ada Example', email: 'ada@example.com' } },
);

export const PAYOUT = {
  mobile_money_operator: 'safaricom-ke',
  mobile_number: '+254712345678',
  customer_email: 'ada@example.com',
};

/** A payout to a phone. */
export function payoutOf(parameters: Parameters = {}, amount = '100.50', currency = 'KES', more: object = {}) {
  return sessionOf(
    'mobile-money',
    { ...PAYOUT, ...parameters },
    {
      operation: 'credit',
      order: orderOf(amount, currency),
      payee: { name: 'Ada Lovelace', email: 'payee@example.com' },
      ...more,
    },
  );
}

/** A collection in another currency than shillings of Kenya. */
export const collectionOf = (key: string, parameters: Parameters, amount: string, currency: string) =>
  sessionOf(key, parameters, { order: orderOf(amount, currency) });

/** Every problem as `path: text`; the warnings where there is none. */
export const answer = answersOf(registry, today);
