import type { Outcome } from '../connector/outcome.ts';
import { addMoney, compareMoney, type Money } from '../money/index.ts';
import { isFinal, MOVES, type PaymentStateName } from './states.ts';

/** What decides about a payment's next step. Stored by the host, changed only through `decide`. */
export interface PaymentState {
  readonly state: PaymentStateName;
  /** Nobody knows whether money moved: pending, looked up until known. */
  readonly unknown: boolean;
  readonly amount: Money | 'payer';
  /** What was really paid so far; several deposits add up. */
  readonly received: Money | undefined;
  /** The provider's newest reference; a renewed code has replaced those before it. */
  readonly current: string | undefined;
  /** The provider's reference that settled or declined the payment. */
  readonly decidedBy: string | undefined;
}

export type PaymentChange =
  | {
      readonly kind: 'outcome';
      readonly outcome: Outcome;
      /** `status`: the provider was asked, so its answer may correct a final state. */
      readonly via: 'flow' | 'notification' | 'status';
    }
  | {
      readonly kind: 'deposit';
      readonly reference: string;
      readonly amount: Money;
      readonly confirmed: boolean;
      readonly via: 'notification' | 'status';
    };

export type Decision =
  | { readonly do: 'apply'; readonly next: PaymentState }
  | { readonly do: 'ignore'; readonly why: string }
  /** Kept aside for a person; `lookUp` asks the provider first. */
  | { readonly do: 'quarantine'; readonly why: string; readonly lookUp: boolean };

/**
 * The one door through which a payment changes: what an outcome or a deposit makes of its state.
 * Pure; the host applies the answer in one statement together with its event and its callback.
 *
 * @example decide(payment, { kind: 'outcome', outcome: settled('tx-1', amount), via: 'notification' })
 */
export function decide(payment: PaymentState, change: PaymentChange): Decision {
  return change.kind === 'deposit' ? decideDeposit(payment, change) : decideOutcome(payment, change);
}

function decideOutcome(payment: PaymentState, { outcome, via }: Extract<PaymentChange, { kind: 'outcome' }>): Decision {
  const move = MOVES[payment.state][outcome.status];
  if (isOutdated(payment, outcome, via)) return { do: 'ignore', why: `${outcome.status} of a code that was replaced` };
  const moved = outcome.status === 'settled' || outcome.status === 'authorized' ? outcome : undefined;
  if (moved !== undefined && !amountFits(payment, moved.amount))
    return { do: 'quarantine', why: amountText(payment, moved.amount), lookUp: false };
  if (payment.state === 'settled' && outcome.status === 'settled' && outcome.reference !== payment.decidedBy)
    return { do: 'quarantine', why: `Paid twice: ${payment.decidedBy ?? ''} and ${outcome.reference}.`, lookUp: false };
  if (move === 'ignore') return { do: 'ignore', why: `${outcome.status} after ${payment.state}` };
  if (move === 'conflict' && (via !== 'status' || outcome.status === 'declined'))
    return { do: 'quarantine', why: `${outcome.status} after ${payment.state}`, lookUp: via !== 'status' };
  const state = move === 'conflict' ? (outcome.status === 'authorized' ? 'authorized' : 'settled') : move;
  const next: PaymentState = {
    ...payment,
    state,
    unknown: outcome.status === 'unknown',
    received: outcome.status === 'settled' ? outcome.amount : payment.received,
    current: outcome.reference ?? payment.current,
    decidedBy: isFinal(state) ? outcome.reference : payment.decidedBy,
  };
  return { do: 'apply', next };
}

/** An old code is still watched, because it may be paid after all; that it expired says nothing about the new one. */
function isOutdated(payment: PaymentState, outcome: Outcome, via: 'flow' | 'notification' | 'status'): boolean {
  if (via === 'flow' || payment.current === undefined || outcome.reference === undefined) return false;
  return outcome.reference !== payment.current && outcome.status !== 'settled' && outcome.status !== 'authorized';
}

/** A deposit counts once it is confirmed; a fixed amount is settled when the deposits reach it. */
function decideDeposit(payment: PaymentState, deposit: Extract<PaymentChange, { kind: 'deposit' }>): Decision {
  if (payment.state === 'declined' && deposit.via !== 'status')
    return { do: 'quarantine', why: 'A deposit after a decline.', lookUp: true };
  const expected = payment.amount === 'payer' ? payment.received : payment.amount;
  if (expected !== undefined && expected.currency !== deposit.amount.currency)
    return { do: 'quarantine', why: amountText(payment, deposit.amount), lookUp: false };
  if (!deposit.confirmed)
    return isFinal(payment.state)
      ? { do: 'ignore', why: 'not confirmed yet' }
      : { do: 'apply', next: { ...payment, state: 'pending', unknown: false } };
  const received = payment.received === undefined ? deposit.amount : addMoney(payment.received, deposit.amount);
  const enough = payment.amount === 'payer' || compareMoney(received, payment.amount) >= 0;
  const state = enough ? 'settled' : 'pending';
  return { do: 'apply', next: { ...payment, state, unknown: false, received, decidedBy: deposit.reference } };
}

function amountFits(payment: PaymentState, amount: Money): boolean {
  if (payment.amount === 'payer') return true;
  return payment.amount.currency === amount.currency && compareMoney(payment.amount, amount) === 0;
}

function amountText(payment: PaymentState, amount: Money): string {
  const expected =
    payment.amount === 'payer' ? 'another currency' : `${payment.amount.text} ${payment.amount.currency}`;
  return `The provider says ${amount.text} ${amount.currency}, expected was ${expected}.`;
}
