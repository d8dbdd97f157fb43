import type { Outcome } from '../connector/outcome.ts';
import type { Operation } from '../method/operation.ts';
import { addMoney, compareMoney, isZero, subtractMoney } from '../money/arithmetic.ts';
import type { Money } from '../money/money.ts';
import {
  MODIFICATION_TRANSITIONS,
  type ModificationName,
  MODIFICATIONS,
  type ModificationStateName,
  isExclusive,
  isOpenModification,
} from './modifications.ts';
import type { Via } from './decision.ts';
import { mergeFacts, type PaymentFacts, sameFacts } from './facts.ts';
import { wasGivenBack } from './partial.ts';
import { type PaymentState, refundable } from './state.ts';
import { type PaymentStateName, transitionOf } from './transitions.ts';

export interface ModificationRequest {
  readonly modification: ModificationName;
  readonly operation: Operation;
  /** Nothing: all that there is. */
  readonly amount?: Money | undefined;
  /** Whether the connector can do a part of it. */
  readonly partial: boolean;
}

/**
 * Why a modification is refused. `not-allowed`: not in this state or for this operation; `under-way`: another modification has to end
 * first; `currency`, `zero`, `too-much`, `no-partial`: the amount.
 */
export type ModificationRefusal = 'not-allowed' | 'under-way' | 'currency' | 'zero' | 'too-much' | 'no-partial';

export type ModificationRequested =
  | { readonly do: 'refuse'; readonly why: ModificationRefusal }
  | {
      readonly do: 'begin';
      readonly amount: Money;
      /** The amount that could still be moved, this one included. */
      readonly remaining: Money;
      /** The payment with the amount reserved. */
      readonly next: PaymentState;
    };

/**
 * Whether a modification may begin, and what it reserves. Nothing is sent to a provider before the host has stored the answer.
 *
 * @example requestModification(payment, { modification: 'refund', operation: 'purchase', amount: money('5.00', 'EUR'), partial: true })
 */
export function requestModification(payment: PaymentState, request: ModificationRequest): ModificationRequested {
  const { modification, operation, partial } = request;
  const rule = MODIFICATIONS[modification];
  const refuse = (why: ModificationRefusal): ModificationRequested => ({ do: 'refuse', why });
  if (!rule.operations.includes(operation) || !rule.from.includes(payment.state)) return refuse('not-allowed');
  if (payment.modifying !== undefined) return refuse('under-way');
  const isWhole = rule.effect === 'gives-back';
  if (isWhole && payment.reserved !== undefined && !isZero(payment.reserved)) return refuse('under-way');
  if (isWhole && payment.refunded !== undefined && !isZero(payment.refunded)) return refuse('not-allowed');
  const remaining = remainingOf(payment, modification);
  if (remaining === undefined) return refuse('not-allowed');
  const amount = rule.amount === 'whole' ? remaining : (request.amount ?? remaining);
  if (amount.currency !== remaining.currency) return refuse('currency');
  if (compareMoney(amount, remaining) > 0) return refuse('too-much');
  if (isZero(amount) && rule.amount !== 'whole') return refuse(isZero(remaining) ? 'too-much' : 'zero');
  // A partial approval is refunded whole.
  const inParts = partial && !(rule.effect === 'refunds' && payment.state === 'partially_approved');
  if (compareMoney(amount, remaining) < 0 && !inParts) return refuse('no-partial');
  const next: PaymentState = isExclusive(modification)
    ? { ...payment, modifying: modification }
    : { ...payment, reserved: payment.reserved === undefined ? amount : addMoney(payment.reserved, amount) };
  return { do: 'begin', amount, remaining, next };
}

function remainingOf(payment: PaymentState, modification: ModificationName): Money | undefined {
  return REMAINING[MODIFICATIONS[modification].effect](payment);
}

// A hold that the provider has taken by itself is none any more.
const stillHeld = ({ received, held }: PaymentState): Money | undefined => (received === undefined ? held : undefined);

/** The amount that each effect can still move. */
const REMAINING: Readonly<
  Record<(typeof MODIFICATIONS)[ModificationName]['effect'], (payment: PaymentState) => Money | undefined>
> = {
  takes: stillHeld,
  'lets-go': stillHeld,
  'gives-back': ({ received }) => received,
  refunds: refundable,
};

/** The facts that decide about a modification's next step. */
export interface ModificationState {
  readonly name: ModificationName;
  readonly state: ModificationStateName;
  readonly amount: Money;
  /** The provider's reference of the modification itself. */
  readonly providerReference: string | undefined;
  /** Facts of a refund, which is a transaction of its own. */
  readonly facts?: PaymentFacts;
}

export type ModificationDecision =
  | {
      readonly do: 'apply';
      readonly modification: ModificationState;
      readonly next: PaymentState;
      /** Why a person should look at it all the same. */
      readonly attention?: string;
    }
  | { readonly do: 'ignore'; readonly why: string }
  | { readonly do: 'quarantine'; readonly why: string };

interface ModificationChange {
  readonly outcome: Outcome;
  readonly via: Via;
}

/**
 * The effect of a modification's outcome on the modification and on its payment. Only a success changes the payment's state; a failure
 * frees the reserved amount, and an unknown outcome keeps it reserved.
 */
export function decideModification(
  payment: PaymentState,
  modification: ModificationState,
  change: ModificationChange,
): ModificationDecision {
  return withFacts(payment, modification, change.outcome, decideStep(payment, modification, change));
}

/** A refund has facts of its own. All other modifications share the payment's. */
function withFacts(
  payment: PaymentState,
  modification: ModificationState,
  outcome: Outcome,
  decision: ModificationDecision,
): ModificationDecision {
  const { facts: reported, providerReference } = outcome;
  if (reported === undefined || decision.do === 'quarantine') return decision;
  const own = !isExclusive(modification.name);
  const before = (own ? modification.facts : payment.facts) ?? {};
  const facts = mergeFacts(before, reported);
  if (decision.do === 'ignore' && (providerReference !== modification.providerReference || sameFacts(before, facts)))
    return decision;
  const apply = decision.do === 'apply' ? decision : { do: 'apply' as const, modification, next: payment };
  return own
    ? { ...apply, modification: { ...apply.modification, facts } }
    : { ...apply, next: { ...apply.next, facts } };
}

function decideStep(
  payment: PaymentState,
  modification: ModificationState,
  change: ModificationChange,
): ModificationDecision {
  const { outcome } = change;
  // A hold is not what a modification brings about: from its own flow that is no answer, from a lookup it is outdated.
  const status = outcome.status === 'authorized' ? (change.via === 'flow' ? 'unknown' : undefined) : outcome.status;
  if (isSecondRefund(modification, outcome))
    return {
      do: 'quarantine',
      why: `Refunded twice: ${modification.providerReference ?? ''} and ${outcome.status === 'settled' ? outcome.providerReference : ''}.`,
    };
  const row = MODIFICATION_TRANSITIONS.find((each) => each.from === modification.state && each.on === status);
  if (row === undefined) return { do: 'ignore', why: `${outcome.status} after ${modification.state}` };
  if (modification.state === 'succeeded' && outcome.status === 'declined')
    return decideLateFailure(payment, modification, change);
  if (row.to === 'set-aside')
    return { do: 'quarantine', why: `${outcome.status} after the ${modification.name} ${modification.state}` };
  const changed: ModificationState = {
    ...modification,
    state: row.to,
    providerReference: outcome.providerReference ?? modification.providerReference,
  };
  if (outcome.status !== 'settled')
    return {
      do: 'apply',
      modification: changed,
      next: isOpenModification(row.to) ? payment : freed(payment, modification),
    };
  if (
    outcome.amount.currency !== modification.amount.currency ||
    compareMoney(outcome.amount, modification.amount) !== 0
  )
    return {
      do: 'quarantine',
      why: `The provider says ${outcome.amount.text} ${outcome.amount.currency}, asked for was a ${modification.name} of ${modification.amount.text} ${modification.amount.currency}.`,
    };
  const overtaken = isOvertaken(payment, modification);
  const next = overtaken ? overtakenBy(payment, modification) : succeeded(freed(payment, modification), modification);
  if (next === undefined) return { do: 'quarantine', why: `a ${modification.name} after ${payment.state}` };
  const attention = attentionTo(payment, modification, overtaken);
  return { do: 'apply', modification: changed, next, ...(attention !== undefined && { attention }) };
}

/**
 * A reported success that turns out to be a failure: its money is back where it was. Only the provider says so, and not in the reply
 * to our own call, because a repeat is declined where the first request took place.
 */
function decideLateFailure(
  payment: PaymentState,
  modification: ModificationState,
  { outcome, via }: ModificationChange,
): ModificationDecision {
  const next = via === 'notification' || via === 'status' ? undone(payment, modification) : undefined;
  if (next === undefined)
    return { do: 'quarantine', why: `${outcome.status} after the ${modification.name} ${modification.state}` };
  return { do: 'apply', modification: { ...modification, state: 'failed' }, next };
}

/** The payment before a modification that failed late; undefined where other money has moved since. */
function undone(payment: PaymentState, { name, amount }: ModificationState): PaymentState | undefined {
  const { effect } = MODIFICATIONS[name];
  if (effect === 'refunds') return withoutRefund(payment, amount);
  const row = transitionOf(payment.state, `${name}-failed`);
  if (row === undefined || row.to === 'set-aside' || payment.modifying !== undefined) return undefined;
  if (effect !== 'takes') return { ...payment, state: row.to };
  const hasGone = [payment.refunded, payment.reserved].some((gone) => gone !== undefined && !isZero(gone));
  if (hasGone || payment.held === undefined) return undefined;
  return { ...payment, state: row.to, received: undefined, decidedBy: undefined };
}

/** A payment that the payer disputed meanwhile stays so. */
function withoutRefund(payment: PaymentState, amount: Money): PaymentState | undefined {
  const { state, refunded } = payment;
  if ((state !== 'settled' && state !== 'refunded' && state !== 'charged_back') || refunded === undefined)
    return undefined;
  const row = transitionOf(state, 'refund-failed');
  const to = row === undefined || row.to === 'set-aside' ? state : row.to;
  return { ...payment, state: to, refunded: subtractMoney(refunded, amount) };
}

/** States that events bring about while a void or a capture is under way. That modification then ends: no more events of it come. */
const ENDED_ELSEWHERE: readonly PaymentStateName[] = ['refunded', 'reversed', 'charged_back'];

function isOvertaken({ state }: PaymentState, { name }: ModificationState): boolean {
  const { effect } = MODIFICATIONS[name];
  return (effect === 'gives-back' || effect === 'takes') && ENDED_ELSEWHERE.includes(state);
}

/** The payment stays where the event brought it; what a capture took is known all the same, unless the event said it before. */
function overtakenBy(payment: PaymentState, modification: ModificationState): PaymentState {
  const next = freed(payment, modification);
  if (MODIFICATIONS[modification.name].effect !== 'takes' || payment.received !== undefined) return next;
  return { ...next, received: modification.amount, decidedBy: payment.current };
}

/** Why a person should look at a success. */
function attentionTo(
  { state, refunded }: PaymentState,
  { name }: ModificationState,
  overtaken: boolean,
): string | undefined {
  const { effect } = MODIFICATIONS[name];
  if (effect === 'takes' && overtaken)
    return `A ${name} took place and the payment is ${state}: find out whether the money is there.`;
  const inPart = refunded !== undefined && !isZero(refunded);
  if (effect !== 'gives-back' || !(overtaken || inPart)) return undefined;
  return `A ${name} took place after the payment was ${overtaken ? state : 'refunded in part'}: money may have gone back twice.`;
}

/**
 * A reported refund with an unknown reference counts as the refund of the same amount that is under way. If that refund has another
 * reference, there were two.
 */
function isSecondRefund({ name, state, providerReference: reference }: ModificationState, outcome: Outcome): boolean {
  if (isExclusive(name) || state !== 'succeeded' || outcome.status !== 'settled') return false;
  return reference !== undefined && outcome.providerReference !== reference;
}

function freed(payment: PaymentState, modification: ModificationState): PaymentState {
  if (isExclusive(modification.name)) return { ...payment, modifying: undefined };
  const reserved = payment.reserved === undefined ? undefined : subtractMoney(payment.reserved, modification.amount);
  return { ...payment, reserved };
}

/** The payment after a success; undefined where it does not fit what became of the payment meanwhile. */
function succeeded(payment: PaymentState, modification: ModificationState): PaymentState | undefined {
  const { effect, on, to } = MODIFICATIONS[modification.name];
  // A refund that took place counts, even if the payer disputed the payment meanwhile.
  if (effect === 'refunds') return afterRefund(payment, modification.amount);
  // A deposit that came while the money was taken back is not taken back with it.
  if (effect === 'gives-back' && payment.received?.minor !== modification.amount.minor) return undefined;
  const row = transitionOf(payment.state, on);
  if (row !== undefined && row.to !== 'set-aside')
    return {
      ...payment,
      state: row.to,
      ...(effect === 'takes' && { received: modification.amount, decidedBy: payment.current }),
    };
  // An event of the provider was faster and said the same.
  if (effect !== 'takes' && wasGivenBack(payment)) return payment;
  if (payment.state !== to) return undefined;
  const same = effect !== 'takes' || payment.received?.minor === modification.amount.minor;
  return same ? payment : undefined;
}

/** A refund that took place, ours or one made at the provider. It is full when all refunds together reach the received amount. */
export function afterRefund(payment: PaymentState, amount: Money): PaymentState {
  const refunded = payment.refunded === undefined ? amount : addMoney(payment.refunded, amount);
  const full = payment.received !== undefined && compareMoney(refunded, payment.received) === 0;
  return { ...payment, refunded, state: full ? WHEN_FULL[payment.state] : payment.state };
}

/** The state after the last refund. A payment that the bank took back meanwhile keeps its state. */
const WHEN_FULL: Readonly<Record<PaymentStateName, PaymentStateName>> = {
  created: 'created',
  pending: 'pending',
  authorized: 'authorized',
  partially_approved: 'declined',
  settled: 'refunded',
  declined: 'declined',
  expired: 'expired',
  voided: 'voided',
  refunded: 'refunded',
  reversed: 'reversed',
  charged_back: 'charged_back',
};
