import { addMoney, compareMoney } from '../money/arithmetic.ts';
import type { Money } from '../money/money.ts';
import type { Decision } from './decision.ts';
import { decideAccepted, decideGivenBack, wasGivenBack } from './partial.ts';
import { type PaymentState, refundable } from './state.ts';
import { type PaymentEvent, type PaymentStateName, transitionOf } from './transitions.ts';

/** A change of a payment that this service did not ask for. */
export type UnsolicitedEvent =
  /** Money that the provider gave back by itself, or because the merchant asked for it there. */
  | {
      readonly kind: 'refund';
      /** The provider's reference of the refund. */
      readonly providerReference: string;
      readonly amount: Money;
      readonly via: 'notification' | 'status';
    }
  /** The provider or the bank took all of it back, or let go of a hold. */
  | { readonly kind: 'reversal'; readonly amount: Money; readonly via: 'notification' | 'status' }
  /** The payer disputed it. */
  | { readonly kind: 'chargeback'; readonly amount: Money; readonly via: 'notification' | 'status' }
  /** Its session and its code are over, and the provider says that nothing came. */
  | { readonly kind: 'expiry' }
  /** The merchant's rule, the merchant or an operator accepts the partially approved amount as it is. */
  | { readonly kind: 'accepted'; readonly via: 'rule' | 'merchant' | 'operator' }
  /** An operator gave back at the provider what was approved in part. */
  | { readonly kind: 'given-back'; readonly via: 'operator' }
  /** An operator has dealt with the money that was set aside. */
  | { readonly kind: 'dismissed'; readonly via: 'operator' };

export function decideUnsolicited(payment: PaymentState, event: UnsolicitedEvent): Decision {
  switch (event.kind) {
    case 'refund':
      return decideRefund(payment, event.amount);
    case 'reversal':
      return takenBack(payment, 'reversed', event.amount, 'whole');
    case 'chargeback':
      return takenBack(payment, 'charged-back', event.amount, 'part');
    case 'expiry':
      return decideExpiry(payment);
    case 'accepted':
      return decideAccepted(payment);
    case 'given-back':
      return decideGivenBack(payment);
    case 'dismissed':
      return payment.aside
        ? { do: 'apply', next: { ...payment, aside: false } }
        : { do: 'ignore', why: 'no money is set aside' };
  }
}

/** The reference's error list refuses a reversal of a part, and reversals and chargebacks of more than the payment. */
function takenBack(
  payment: PaymentState,
  on: Extract<PaymentEvent, 'reversed' | 'charged-back'>,
  amount: Money,
  extent: 'whole' | 'part',
): Decision {
  const row = transitionOf(payment.state, on);
  const already = on === 'reversed' ? 'reversed' : 'charged_back';
  if (payment.state === already || wasGivenBack(payment)) return { do: 'ignore', why: `${on} before` };
  if (row === undefined || row.to === 'set-aside')
    return {
      do: 'quarantine',
      why: `${on} after ${payment.state}`,
      needsSync: payment.state === 'created' || payment.state === 'pending',
    };
  const there = payment.received ?? payment.held;
  if (there === undefined || there.currency !== amount.currency || !fits(compareMoney(amount, there), extent))
    return { do: 'quarantine', why: `${on} by ${amount.text} ${amount.currency}`, needsSync: false };
  return { do: 'apply', next: { ...payment, state: row.to, unknown: false } };
}

const fits = (order: -1 | 0 | 1, extent: 'whole' | 'part') => (extent === 'whole' ? order === 0 : order <= 0);

function decideRefund(payment: PaymentState, amount: Money): Decision {
  const rest = refundable(payment);
  if ((payment.state !== 'settled' && payment.state !== 'partially_approved') || rest === undefined)
    return { do: 'quarantine', why: `refunded after ${payment.state}`, needsSync: false };
  if (rest.currency !== amount.currency || compareMoney(amount, rest) > 0)
    return {
      do: 'quarantine',
      why: `refunded ${amount.text} ${amount.currency}, possible was ${rest.text} ${rest.currency}`,
      needsSync: false,
    };
  return { do: 'apply', next: afterRefund(payment, amount) };
}

/** A refund that took place: it is full when all refunds together reach what was received. */
export function afterRefund(payment: PaymentState, amount: Money): PaymentState {
  const refunded = payment.refunded === undefined ? amount : addMoney(payment.refunded, amount);
  const full = payment.received !== undefined && compareMoney(refunded, payment.received) === 0;
  return { ...payment, refunded, state: full ? (WHEN_FULL[payment.state] ?? payment.state) : payment.state };
}

/** Where the last refund leads; a payment that the bank took back meanwhile stays where it is. */
const WHEN_FULL: Readonly<Partial<Record<PaymentStateName, PaymentStateName>>> = {
  settled: 'refunded',
  partially_approved: 'declined',
};

function decideExpiry(payment: PaymentState): Decision {
  const row = transitionOf(payment.state, 'expiry');
  if (row === undefined || row.to === 'set-aside') return { do: 'ignore', why: `expiry after ${payment.state}` };
  if (payment.unknown) return { do: 'ignore', why: 'it is not known whether it was paid' };
  if (payment.received !== undefined) return { do: 'ignore', why: 'a part was paid' };
  if (payment.aside) return { do: 'ignore', why: 'money is set aside' };
  return { do: 'apply', next: { ...payment, state: row.to } };
}
