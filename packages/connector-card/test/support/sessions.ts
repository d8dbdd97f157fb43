import { createRegistry, type Profile } from '@railyard/core';
import { answersOf } from '../../../core/test/support/answers.ts';
import { applePay, card, cardRedirect, cardRedirectAlt, googlePay } from '../../src/index.ts';

export const registry = createRegistry([card, applePay, googlePay, cardRedirect, cardRedirectAlt]);
export const today = '2026-11-21';

type Parameters = Readonly<Record<string, unknown>>;

/** A session request in dollars; `more` overrides its fields. */
export function sessionOf(key: string, parameters: Parameters, more: object = {}) {
  return {
    merchant_key: '11111111-2222-4333-8444-555555555555',
    operation: 'purchase',
    methods: [key],
    order: { number: 'order-1', amount: '25.00', currency: 'USD', description: 'Two books' },
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

/** A profile of an account that takes some sets and requires some paths. */
export function profileOf(sets: readonly string[] | undefined, required: readonly string[] = []): Profile {
  return {
    methods: {
      card: {
        method: 'card',
        required: [...required],
        ...(sets && { supplied: ['sets'], values: { sets: [...sets] } }),
      },
    },
  };
}
