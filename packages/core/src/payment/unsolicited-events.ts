import { compareMoney } from '../money/arithmetic.ts';
import type { Money } from '../money/money.ts';
import { afterRefund } from './decide-modification.ts';
import type { Decision, Via } from './decision.ts';
import { mergeFacts, type PaymentFacts, sameFacts } from './facts.ts';
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
  /** The payer disputed it, or the merchant has won or lost the dispute. */
  | {
      readonly kind: 'chargeback';
      readonly amount: Money;
      readonly result?: 'won' | 'lost';
      readonly via: 'notification' | 'status';
    }
  /** A hold was not captured in time, and the provider let go of it. */
  | { readonly kind: 'hold-expired'; readonly via: 'notification' | 'status' }
  /** Facts became known. */
  | { readonly kind: 'facts'; readonly facts: PaymentFacts; readonly via: Via }
  /** Its session and its code are over, and the provider says that nothing came. */
  | { readonly kind: 'expiry' }
  /** The merchant's rule, the merchant or an operator accepts the partially approved amount as it is. */
  | { readonly kind: 'accepted'; readonly via: 'rule' | 'merchant' | 'operator' }
  /** An operator gave an approved part back at the provider. */
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
      return event.result === 'won' ? decideWon(payment) : takenBack(payment, 'charged-back', event.amount, 'part');
    case 'hold-expired':
      return decideHoldExpired(payment);
    case 'facts':
      return decideFacts(payment, event.facts);
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
  // A bank may dispute in its own currency, in which nothing here can be compared.
  if (on === 'charged-back' && there !== undefined && there.currency !== amount.currency)
    return {
      do: 'apply',
      next: { ...payment, state: row.to, unknown: false },
      attention: `The dispute is over ${amount.text} ${amount.currency}, paid was ${there.text} ${there.currency}.`,
    };
  if (there === undefined || there.currency !== amount.currency || !fits(compareMoney(amount, there), extent))
    return { do: 'quarantine', why: `${on} by ${amount.text} ${amount.currency}`, needsSync: false };
  return { do: 'apply', next: { ...payment, state: row.to, unknown: false } };
}

/** The money that was disputed is the merchant's again; refunds that took place meanwhile count. */
function decideWon(payment: PaymentState): Decision {
  if (payment.state !== 'charged_back')
    return { do: 'quarantine', why: `a chargeback won after ${payment.state}`, needsSync: false };
  const { received, refunded } = payment;
  const isWhole = received !== undefined && refunded !== undefined && compareMoney(refunded, received) === 0;
  return { do: 'apply', next: { ...payment, state: isWhole && refunded.minor > 0n ? 'refunded' : 'settled' } };
}

function decideHoldExpired(payment: PaymentState): Decision {
  const { state, received } = payment;
  if (state === 'reversed' || wasGivenBack(payment)) return { do: 'ignore', why: 'the hold was released before' };
  // A provider may end the hold of money that it has captured.
  if (received !== undefined) return { do: 'ignore', why: 'what was held was taken' };
  const row = transitionOf(state, 'hold-expired');
  if (row === undefined || row.to === 'set-aside')
    return {
      do: 'quarantine',
      why: `hold-expired after ${state}`,
      needsSync: state === 'created' || state === 'pending',
    };
  return { do: 'apply', next: { ...payment, state: row.to } };
}

function decideFacts(payment: PaymentState, reported: PaymentFacts): Decision {
  const facts = mergeFacts(payment.facts, reported);
  if (sameFacts(payment.facts, facts)) return { do: 'ignore', why: 'no fact is new' };
  return { do: 'apply', next: { ...payment, facts } };
}

const fits = (order: -1 | 0 | 1, extent: 'whole' | 'part') => (extent === 'whole' ? order === 0 : order <= 0);

/** The states in which money can go back. A dispute may be told before a refund that took place earlier. */
const REFUNDED_FROM: readonly PaymentStateName[] = ['settled', 'partially_approved', 'charged_back'];

function decideRefund(payment: PaymentState, amount: Money): Decision {
  const rest = refundable(payment);
  if (!REFUNDED_FROM.includes(payment.state) || rest === undefined)
    return { do: 'quarantine', why: `refunded after ${payment.state}`, needsSync: false };
  if (rest.currency !== amount.currency || compareMoney(amount, rest) > 0)
    return {
      do: 'quarantine',
      why: `refunded ${amount.text} ${amount.currency}, possible was ${rest.text} ${rest.currency}`,
      needsSync: false,
    };
  return { do: 'apply', next: afterRefund(payment, amount) };
}

function decideExpiry(payment: PaymentState): Decision {
  const row = transitionOf(payment.state, 'expiry');
  if (row === undefined || row.to === 'set-aside') return { do: 'ignore', why: `expiry after ${payment.state}` };
  if (payment.unknown) return { do: 'ignore', why: 'it is not known whether it was paid' };
  if (payment.received !== undefined) return { do: 'ignore', why: 'a part was paid' };
  if (payment.aside) return { do: 'ignore', why: 'money is set aside' };
  return { do: 'apply', next: { ...payment, state: row.to } };
}
