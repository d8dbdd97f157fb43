import { createRegistry } from '@railyard/core';
import { answersOf } from '../../../core/test/support/answers.ts';
import * as methods from '../../src/methods.ts';

export const registry = createRegistry(Object.values(methods));
export const today = '2026-11-22';

type Parameters = Readonly<Record<string, unknown>>;

export const PAYEE = {
  payee_name: 'Ann Lee',
  payee_country: 'GB',
  payee_identifications: [
    { type: 'SORT_CODE', identification: '040004' },
    { type: 'ACCOUNT_NUMBER', identification: '12345678' },
  ],
};

/** A session request; `more` overrides its fields. */
export function sessionOf(key: string, parameters: Parameters, more: object = {}) {
  return {
    merchant_key: '11111111-2222-4333-8444-555555555555',
    operation: 'purchase',
    methods: [key],
    order: { number: 'order-1', amount: '10.00', currency: 'GBP', description: 'Two books' },
    success_url: 'https://shop.example/done',
    cancel_url: 'https://shop.example/cancel',
    customer: { name: 'Ada Example', email: 'ada@example.com' },
    parameters: { [key]: parameters },
    hash: 'a'.repeat(40),
    ...more,
  };
}

/** Every problem as `path: text`; the warnings where there is none. */
export const answer = answersOf(registry, today);

/** A payment from the payer's bank; the parameters over good ones, `undefined` takes one away. */
export const paymentTo = (parameters: Parameters = {}, more: object = {}) =>
  sessionOf('open-banking', { ...PAYEE, ...parameters }, more);
