import { createRegistry } from '@railyard/core/registry';
import { answersOf } from '../../../core/test/support/answers.ts';
import { type Parameters, sessionWith } from '../../../core/test/support/session-of.ts';
import * as methods from '../../src/methods.ts';

export const registry = createRegistry(Object.values(methods));
export const today = '2026-11-22';

export const PAYEE = {
  payee_name: 'Ann Lee',
  payee_country: 'GB',
  payee_identifications: [
    { type: 'SORT_CODE', identification: '040004' },
    { type: 'ACCOUNT_NUMBER', identification: '12345678' },
  ],
};

/** A session request; `more` overrides its fields. */
export const sessionOf = sessionWith(
  { amount: '10.00', currency: 'GBP', description: 'Two books' },
  { customer: { name: 'Ada Example', email: 'ada@example.com' } },
);

/** Every problem as `path: text`; the warnings where there is none. */
export const answer = answersOf(registry, today);

/** A payment from the payer's bank; the parameters over good ones, `undefined` takes one away. */
export const paymentTo = (parameters: Parameters = {}, more: object = {}) =>
  sessionOf('open-banking', { ...PAYEE, ...parameters }, more);
