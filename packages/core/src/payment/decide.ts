import type { Via, Decision } from './decision.ts';
import type { Outcome } from '../connector/outcome.ts';
import { addMoney, compareMoney } from '../money/arithmetic.ts';
import type { Money } from '../money/money.ts';
import { mergeFacts, sameFacts } from './facts.ts';
import { decideUnsolicited, type UnsolicitedEvent } from './unsolicited-events.ts';
import { approvedAmount, decideAfterGivenBack, decidePart, isPartOf, wasGivenBack } from './partial.ts';
import type { PaymentState } from './state.ts';
import { isFinal, MOVES, TRANSITIONS, transitionOf } from './transitions.ts';

export type PaymentChange =
  | {
      readonly kind: 'outcome';
      readonly outcome: Outcome;
      /** `status`: the provider was asked, so its answer may correct a final state. */
      readonly via: Via;
    }
  | {
      readonly kind: 'deposit';
      readonly providerReference: string;
      readonly amount: Money;
      readonly confirmed: boolean;
      /** The provider's last word: the deposits so far settle the payment, also where they are less than was asked for. */
      readonly enough?: true;
      readonly via: 'notification' | 'status';
    }
  | UnsolicitedEvent;

/** The provider's word for the end of a payment, which means something else of a hold than of a payment that waits. */
export interface End {
  readonly kind: 'ended';
  /** The decline of a payment of which nothing is held. */
  readonly outcome: Outcome;
  readonly via: 'notification' | 'status';
}

/** The change that a report makes in the state of its payment: of a hold, its end is a release. */
export function inState({ held }: PaymentState, change: PaymentChange | End): PaymentChange {
  if (change.kind !== 'ended') return change;
  const { outcome, via } = change;
  return held !== undefined && outcome.status === 'declined'
    ? { kind: 'hold-expired', via }
    : { kind: 'outcome', outcome, via };
}

/**
 * The one door through which a payment changes: what an outcome, a deposit or an unsolicited event makes of its state. What a modification
 * on it makes of it, says `decideModification`. Pure; the host applies the answer in one statement together with its event and callback.
 *
 * @example decide(payment, { kind: 'outcome', outcome: settled('tx-1', amount), via: 'notification' })
 */
export function decide(payment: PaymentState, change: PaymentChange): Decision {
  return withFacts(payment, change, decideChange(payment, change));
}

function decideChange(payment: PaymentState, change: PaymentChange): Decision {
  switch (change.kind) {
    case 'outcome':
      return decideOutcome(payment, change);
    case 'deposit':
      return decideDeposit(payment, change);
    default:
      return decideUnsolicited(payment, change);
  }
}

/** Facts of an outcome that is outdated otherwise still count, if it is about what decided the payment. */
function withFacts(payment: PaymentState, change: PaymentChange, decision: Decision): Decision {
  if (change.kind !== 'outcome' || change.outcome.facts === undefined || decision.do === 'quarantine') return decision;
  const { facts: reported, providerReference = payment.current } = change.outcome;
  const facts = mergeFacts(payment.facts, reported);
  if (decision.do === 'apply') return { ...decision, next: { ...decision.next, facts } };
  const isAboutIt = providerReference === (payment.decidedBy ?? payment.current);
  if (!isAboutIt || sameFacts(payment.facts, facts)) return decision;
  return { do: 'apply', next: { ...payment, facts }, learned: true };
}

function decideOutcome(payment: PaymentState, { outcome, via }: Extract<PaymentChange, { kind: 'outcome' }>): Decision {
  if (isOutdated(payment, outcome, via)) return { do: 'ignore', why: `${outcome.status} of a code that was replaced` };
  const moved = outcome.status === 'settled' || outcome.status === 'authorized' ? outcome : undefined;
  const misfit = moved && misfitting(payment, moved, via);
  if (misfit !== undefined) return misfit;
  const move = MOVES[payment.state][outcome.status];
  if (move === 'ignore') return { do: 'ignore', why: `${outcome.status} after ${payment.state}` };
  const state = move === 'conflict' ? solicitedMove(payment, outcome, via) : move;
  if (state === undefined)
    return {
      do: 'quarantine',
      why: `${outcome.status} after ${payment.state}`,
      needsSync: via !== 'status',
      ...(moved && { aside: moved.amount }),
    };
  if (state === 'declined' && hasSomeMoney(payment) && via !== 'operator')
    return { do: 'quarantine', why: 'Declined, and money of it was paid or set aside.', needsSync: via !== 'status' };
  const next: PaymentState = {
    ...payment,
    state,
    unknown: outcome.status === 'unknown',
    aside: moved === undefined && state !== 'declined' && payment.aside,
    held: outcome.status === 'authorized' ? outcome.amount : payment.held,
    received: outcome.status === 'settled' ? outcome.amount : payment.received,
    current: outcome.providerReference ?? payment.current,
    decidedBy: isFinal(state) ? outcome.providerReference : payment.decidedBy,
  };
  return { do: 'apply', next };
}

/** Unexpected money: another amount or currency, or a second payment. */
function misfitting(
  payment: PaymentState,
  moved: Extract<Outcome, { status: 'settled' | 'authorized' }>,
  via: Via,
): Decision | undefined {
  const { amount } = moved;
  const why = amountText(payment, amount);
  const aside = via === 'operator' ? {} : { aside: amount };
  if (wasGivenBack(payment)) return decideAfterGivenBack(payment, moved, why);
  if (!amountFits(payment, amount)) {
    const mayBePart = payment.amount !== 'payer' && isPartOf(amount, payment.amount) && payment.state !== 'authorized';
    return mayBePart && !hasAll(payment)
      ? decidePart(payment, moved, via, why)
      : { do: 'quarantine', why, needsSync: false, ...aside };
  }
  // The whole after a part: the part may be on its way back.
  if (payment.state === 'partially_approved') return { do: 'quarantine', why, needsSync: false, ...aside };
  if (moved.status === 'settled' && isPaidTwice(payment, moved.providerReference)) {
    const twice = `Paid twice: ${payment.decidedBy ?? ''} and ${moved.providerReference}.`;
    return { do: 'quarantine', why: twice, needsSync: false, ...aside };
  }
  return undefined;
}

/** Whether the payment has got its money, whatever became of it since. */
const hasAll = ({ state, received }: PaymentState): boolean => isFinal(state) && received !== undefined;

const hasSomeMoney = ({ aside, received }: PaymentState): boolean => aside || received !== undefined;

/** Where a contradiction leads that the provider's answer to our own question may resolve. */
function solicitedMove(payment: PaymentState, outcome: Outcome, via: Via): PaymentState['state'] | undefined {
  const row = transitionOf(payment.state, outcome.status);
  return via === 'status' && row?.solicited === true && row.to !== 'set-aside' ? row.to : undefined;
}

/** A second code that is paid as well, whatever became of the first one's money. What a hold brought is one payment. */
function isPaidTwice(payment: PaymentState, reference: string): boolean {
  const hasMoney = payment.received !== undefined && isFinal(payment.state);
  return hasMoney && payment.held === undefined && reference !== payment.decidedBy;
}

/** An old code is still watched, because it may be paid after all; that it expired says nothing about the new one. */
function isOutdated(payment: PaymentState, outcome: Outcome, via: Via): boolean {
  if (via === 'flow' || payment.current === undefined || outcome.providerReference === undefined) return false;
  return (
    outcome.providerReference !== payment.current && outcome.status !== 'settled' && outcome.status !== 'authorized'
  );
}

/** A deposit counts once it is confirmed; a fixed amount is settled when the deposits reach it. */
function decideDeposit(payment: PaymentState, deposit: Extract<PaymentChange, { kind: 'deposit' }>): Decision {
  const rows = TRANSITIONS.filter((row) => row.from === payment.state && row.on === 'deposit');
  const solicited = rows.some((row) => row.solicited === true);
  const { amount, confirmed } = deposit;
  const aside = confirmed && amount.minor > 0n ? { aside: amount } : {};
  if (rows.length === 0 || (solicited && deposit.via !== 'status'))
    return { do: 'quarantine', why: `A deposit after ${payment.state}.`, needsSync: solicited, ...aside };
  if (payment.held !== undefined || wasGivenBack(payment))
    return { do: 'quarantine', why: 'A deposit beside a hold.', needsSync: false, ...aside };
  const { currency = payment.received?.currency } = payment.amount === 'payer' ? payment : payment.amount;
  if (currency !== undefined && currency !== amount.currency)
    return { do: 'quarantine', why: amountText(payment, amount), needsSync: false, ...aside };
  if (!confirmed)
    return isFinal(payment.state)
      ? { do: 'ignore', why: 'not confirmed yet' }
      : { do: 'apply', next: { ...payment, state: 'pending', unknown: false } };
  if (deposit.enough === true) return decideEnough(payment, deposit.providerReference);
  if (amount.minor === 0n)
    return { do: 'quarantine', why: `A deposit that is worth nothing in ${amount.currency}.`, needsSync: false };
  const received = payment.received === undefined ? amount : addMoney(payment.received, amount);
  const enough = payment.amount === 'payer' || compareMoney(received, payment.amount) >= 0;
  // A settled payment, also one whose part the merchant accepted, stays so: further deposits add up.
  const state = enough || payment.state === 'settled' ? 'settled' : 'pending';
  return { do: 'apply', next: { ...payment, state, unknown: false, received, decidedBy: deposit.providerReference } };
}

/** Nothing more comes after the provider's last word: the sum so far is all. */
function decideEnough(payment: PaymentState, decidedBy: string): Decision {
  if (payment.state === 'settled') return { do: 'ignore', why: 'settled already' };
  if (payment.received === undefined)
    return {
      do: 'quarantine',
      why: 'Enough was deposited, says the provider, and none of it counted.',
      needsSync: false,
    };
  return { do: 'apply', next: { ...payment, state: 'settled', unknown: false, decidedBy } };
}

function amountFits(payment: PaymentState, amount: Money): boolean {
  const expected = expectedOf(payment);
  if (expected === 'payer') return isChosen(payment, amount);
  // A capture may be for a part of the hold; a provider that repeats the hold's amount reports nothing new.
  if (payment.held !== undefined && payment.received !== undefined && isSame(payment.received, amount)) return true;
  return isSame(expected, amount);
}

/** The payer chooses how much, in the order's currency: the sum is reported to the merchant beside that. */
function isChosen(payment: PaymentState, amount: Money): boolean {
  const { currency = amount.currency } = payment;
  return amount.minor > 0n && currency === amount.currency;
}

/** A hold says what there is to come, also where the payer chose it; so does a part that was accepted. */
function expectedOf(payment: PaymentState): Money | 'payer' {
  if (payment.state === 'partially_approved') return payment.amount;
  return payment.held ?? approvedAmount(payment) ?? payment.amount;
}

function isSame(left: Money, right: Money): boolean {
  return left.currency === right.currency && left.minor === right.minor;
}

function amountText(payment: PaymentState, amount: Money): string {
  const expected = expectedOf(payment);
  const { currency = payment.received?.currency ?? 'any currency' } = payment;
  const text = expected === 'payer' ? `an amount in ${currency}` : `${expected.text} ${expected.currency}`;
  return `The provider says ${amount.text} ${amount.currency}, expected was ${text}.`;
}
