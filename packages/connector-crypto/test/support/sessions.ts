import { createRegistry, type Profile } from '@railyard/core/registry';
import { answersOf } from '../../../core/test/support/answers.ts';
import { type Parameters, sessionWith } from '../../../core/test/support/session-of.ts';
import * as methods from '../../src/methods.ts';

export const registry = createRegistry(Object.values(methods));
export const today = '2026-11-21';

/** A session request; `more` overrides its fields. */
export const sessionOf = sessionWith({ amount: '100.50', currency: 'USD', description: 'Top up' });

/** An order whose amount the payer chooses. */
export const openOrder = (currency: string) => ({
  order: { number: 'order-1', currency, description: 'Top up' },
});

/** A payout to a wallet. */
export const withdrawalOf = (parameters: Parameters, more: object = {}) =>
  sessionOf('trading-withdrawal', parameters, { operation: 'credit', payee: { name: 'Ada Lovelace' }, ...more });

/** The profile of one account with what it says of a method. */
export function accountOf(key: string, values: Parameters = {}, test?: boolean): Profile {
  const entry = { method: key, supplied: Object.keys(values), values, ...(test !== undefined && { test }) };
  return { methods: { [key]: entry } };
}

/** Every problem as `path: text`; the warnings where there is none. */
export const answer = answersOf(registry, today);
