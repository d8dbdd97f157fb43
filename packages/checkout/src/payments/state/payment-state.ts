import { type Money, money, moneyOfMinor } from '@railyard/core';
import type { PaymentState } from '@railyard/core/payment';
import type { Payment } from '../../storage/index.ts';

/** The part of a stored payment that decides about its next step. */
export function stateOf(payment: Payment): PaymentState {
  return {
    state: payment.state,
    unknown: payment.unknown,
    amount: amountOf(payment),
    currency: payment.currency,
    held: heldOf(payment),
    received: moneyOf(payment),
    refunded: sumOf(payment, payment.refundedMinor),
    reserved: sumOf(payment, payment.reservedMinor),
    modifying: payment.modifying ?? undefined,
    aside: payment.asideText !== null,
    current: payment.providerReference ?? undefined,
    decidedBy: payment.decidedBy ?? undefined,
    facts: payment.facts,
  };
}

export function amountOf(payment: Payment): Money | 'payer' {
  return payment.amountOpen || payment.amountText === null ? 'payer' : money(payment.amountText, payment.currency);
}

/** The amount received so far. */
export function moneyOf({ received }: Pick<Payment, 'received'>): Money | undefined {
  return received === null ? undefined : money(received.text, received.currency);
}

/** A card can be checked with a hold of zero. */
function heldOf({ state, authorizedMinor, currency }: Payment): Money | undefined {
  return authorizedMinor > 0n || state === 'authorized' ? moneyOfMinor(authorizedMinor, currency) : undefined;
}

/** A sum of what was received, in the currency it was received in. */
function sumOf({ received }: Payment, minor: bigint): Money | undefined {
  return minor === 0n || received === null ? undefined : moneyOfMinor(minor, received.currency);
}
