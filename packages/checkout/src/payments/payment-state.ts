import { type Money, money, type PaymentState } from '@railyard/core';
import type { Payment } from '../storage/index.ts';

/** The part of a stored payment that decides about its next step. */
export function stateOf(payment: Payment): PaymentState {
  return {
    state: knownState(payment),
    unknown: payment.unknown,
    amount: amountOf(payment),
    received: payment.received === null ? undefined : money(payment.received.text, payment.received.currency),
    current: payment.providerReference ?? undefined,
    decidedBy: payment.decidedBy ?? undefined,
  };
}

export function amountOf(payment: Payment): Money | 'payer' {
  return payment.amountOpen || payment.amountText === null ? 'payer' : money(payment.amountText, payment.currency);
}

function knownState({ id, state }: Payment): PaymentState['state'] {
  switch (state) {
    case 'created':
    case 'pending':
    case 'authorized':
    case 'settled':
    case 'declined':
      return state;
    default:
      throw new Error(`Payment ${id}: the state "${state}" is not moved by outcomes.`);
  }
}
