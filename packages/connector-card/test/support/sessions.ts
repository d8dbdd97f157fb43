import { createRegistry, type Profile } from '@railyard/core/registry';
import { answersOf } from '../../../core/test/support/answers.ts';
import { sessionWith } from '../../../core/test/support/session-of.ts';
import { applePay, card, cardRedirect, cardRedirectAlt, googlePay } from '../../src/index.ts';

export const registry = createRegistry([card, applePay, googlePay, cardRedirect, cardRedirectAlt]);
export const today = '2026-11-21';

/** A session request in dollars; `more` overrides its fields. */
export const sessionOf = sessionWith(
  { amount: '25.00', currency: 'USD', description: 'Two books' },
  { customer: { name: 'Ada Example', email: 'ada@example.com' } },
);

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
