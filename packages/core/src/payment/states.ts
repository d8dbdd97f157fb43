import type { OutcomeStatus } from '../connector/outcome.ts';

/** States of one payment attempt. `pending` covers what nobody knows yet; then `unknown` is set beside it (protocol: PENDING). */
export const PAYMENT_STATES = ['created', 'pending', 'authorized', 'settled', 'declined'] as const;
export type PaymentStateName = (typeof PAYMENT_STATES)[number];

/**
 * What an outcome does in a state.
 * `ignore`: older news than what is known. `conflict`: contradicts a final state; only a lookup at the provider may decide.
 */
export type Move = PaymentStateName | 'ignore' | 'conflict';

/** The one table of moves. Protocol, States and transitions; the reference's callback table for what is final. */
export const MOVES: Readonly<Record<PaymentStateName, Readonly<Record<OutcomeStatus, Move>>>> = {
  created: {
    settled: 'settled',
    authorized: 'authorized',
    pending: 'pending',
    declined: 'declined',
    unknown: 'pending',
  },
  pending: {
    settled: 'settled',
    authorized: 'authorized',
    pending: 'pending',
    declined: 'declined',
    unknown: 'pending',
  },
  authorized: { settled: 'settled', authorized: 'ignore', pending: 'ignore', declined: 'conflict', unknown: 'ignore' },
  settled: { settled: 'ignore', authorized: 'ignore', pending: 'ignore', declined: 'conflict', unknown: 'ignore' },
  declined: { settled: 'conflict', authorized: 'conflict', pending: 'ignore', declined: 'ignore', unknown: 'ignore' },
};

/** A final state is left only by an action on the payment or by a lookup that contradicts it. */
export function isFinal(state: PaymentStateName): boolean {
  return state === 'settled' || state === 'declined';
}
