import type { Outcome, ProviderEvent, Show } from '@railyard/core';
import type { NewPayment, Payment, PaymentReference, PaymentUpdate, Transition } from '../../storage/index.ts';
import { DECLINE_REASONS } from '@railyard/core/driver';
import { isFinal, type PaymentChange, type PaymentState } from '@railyard/core/payment';
import { EXPIRED } from './callbacks.ts';
import type { NextAction } from '@railyard/runtime';

/** The provider's event behind a change, and the notification that brought it. */
export interface EventCause {
  readonly event: ProviderEvent;
  readonly notificationId?: string;
  /** It is all that the notification says. */
  readonly endsNotification?: boolean;
}

export interface NotBefore {
  /** Milliseconds for which the provider asked not to be asked (`Retry-After`): the lookup waits for as long. */
  readonly retryAfterMs?: number | undefined;
}

/** Why a payment is to change: what happened, and the event or run that reported it. */
export interface Cause extends NotBefore {
  readonly change: PaymentChange;
  /** The provider's event behind the change; known once, it has one effect. */
  readonly event?: EventCause;
  /** The run that ends with this change. */
  readonly run?: NonNullable<Transition['run']>;
  /** The next action that the run it suspends asks of the payer. */
  readonly nextAction?: NextAction;
  /** The payment that takes this one's place if this is its first change and declines it. */
  readonly failover?: NewPayment;
}

/** The data of a history entry: words and references, no personal data. */
export function eventData({ change, event }: Pick<Cause, 'change' | 'event'>): object {
  if (change.kind === 'deposit')
    return {
      event: event?.event.id,
      reference: change.providerReference,
      amount: change.amount.text,
      confirmed: change.confirmed,
    };
  if (change.kind !== 'outcome')
    return {
      event: event?.event.id,
      ...('result' in change && { result: change.result }),
      ...('facts' in change && { facts: Object.keys(change.facts) }),
      ...('amount' in change && { amount: change.amount.text, currency: change.amount.currency }),
      ...('via' in change && { via: change.via }),
    };
  const { status, providerReference: reference, provider } = change.outcome;
  return { status, reference, provider: historyWords(provider), via: change.via, event: event?.event.id };
}

/** The history is never erased, and a provider's message may name the payer. */
export const historyWords = ({ status, code }: NonNullable<Outcome['provider']> = {}) =>
  status === undefined && code === undefined ? undefined : { status, code };

/** Money that was paid in time may be on its way for a while. */
const GRACE_MS = 3_600_000;

/** More than a database holds. */
const TOO_LATE = Date.UTC(10_000, 0);

/**
 * An end before the payment began is none: a placeholder of the provider's, seconds taken for milliseconds, a clock that is off, or local time
 * that says that it is in UTC. What it hides, or ends, could still be paid.
 */
const isEnd = (until: Date, began: Date) => until > began && until.getTime() < TOO_LATE;

/** Until when the payer can pay, by the outcome; undefined if it does not say. */
export function payableUntil(outcome: Outcome, { createdAt }: Pick<Payment, 'createdAt'>): Date | undefined {
  if (outcome.status !== 'pending') return undefined;
  const text = outcome.payableUntil ?? outcome.show?.validUntil;
  const until = text === undefined ? undefined : new Date(text);
  return until !== undefined && isEnd(until, createdAt) ? until : undefined;
}

/** Shown things that a payer takes to a counter or a bank and pays there without the page. */
export const PAID_ELSEWHERE: ReadonlySet<Show['kind']> = new Set(['voucher', 'payment-details', 'qr']);

/** The view that an outcome gives the payer, without an end that is none. A slip without an end of its own has that of the payment. */
export function shownBy(outcome: Outcome | undefined, { createdAt }: Pick<Payment, 'createdAt'>): Show | undefined {
  const show = outcome?.status === 'pending' ? outcome.show : undefined;
  if (outcome === undefined || show === undefined) return undefined;
  const { validUntil, ...endless } = show;
  if (validUntil !== undefined) return isEnd(new Date(validUntil), createdAt) ? show : endless;
  const until = PAID_ELSEWHERE.has(show.kind) ? payableUntil(outcome, { createdAt }) : undefined;
  return until === undefined ? show : { ...show, validUntil: until.toISOString() };
}

type Code = Pick<PaymentReference, 'providerReference' | 'watched' | 'payableUntil'>;

/**
 * When nothing that a payer was shown can bring money any more, older codes included: milliseconds since 1970. Undefined where a provider
 * does not say how long it can be paid, or has given no reference yet.
 */
export function payableEnd(codes: readonly Code[]): number | undefined {
  const watched = codes.filter((each) => each.watched);
  const ends = watched.flatMap(({ payableUntil: until }) => (until === null ? [] : [until.getTime() + GRACE_MS]));
  return watched.length === 0 || ends.length < watched.length ? undefined : Math.max(...ends);
}

/** Whether another code than this can still be paid. */
export function isOtherPayable(codes: readonly Code[], reference: string, now: number): boolean {
  return codes.some(
    (each) =>
      each.watched &&
      each.providerReference !== reference &&
      each.payableUntil !== null &&
      each.payableUntil.getTime() + GRACE_MS > now,
  );
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** After this many lookups without an answer the operator is notified; the payment stays pending. */
export const MAX_POLLS = 40;

/** So far apart are lookups of a code that can be paid for days. */
const SPARSE_MS = 6 * HOUR;

/**
 * Milliseconds until the provider is asked again: soon where the outcome is unknown, later where the payer has not paid yet;
 * always further apart, at most an hour. As long as it can be paid it is asked about now and then, and once when that ends.
 *
 * @param left milliseconds until nothing can be paid any more, where the provider says it
 */
export function nextPollMs(polls: number, unknown: boolean, left?: number): number | null {
  const first = unknown ? 2 * SECOND : 20 * SECOND;
  const usual = polls >= MAX_POLLS ? null : Math.min(first * 2 ** Math.min(polls, 12), HOUR);
  if (left === undefined || left <= 0) return usual;
  return Math.min(usual ?? SPARSE_MS, left);
}

/** The wait until a planned lookup, where the provider asked for a longer one. */
export const notBefore = (retryAfterMs: number | undefined, planned: number | null): number | null =>
  planned === null ? null : Math.max(planned, retryAfterMs ?? 0);

type Next = PaymentState;

/** The sums and facts of a payment, as they are written. */
export function sumsOf(next: Next): Omit<PaymentUpdate, 'state' | 'unknown'> {
  const { received, held, refunded, reserved, modifying, facts } = next;
  return {
    received:
      received === undefined ? null : { text: received.text, minor: received.minor, currency: received.currency },
    ...(held && { authorizedMinor: held.minor }),
    ...(held && { capturedMinor: received?.minor ?? 0n }),
    refundedMinor: refunded?.minor ?? 0n,
    reservedMinor: reserved?.minor ?? 0n,
    modifying: modifying ?? null,
    facts,
  };
}

/** The columns of a payment that a change writes. */
export function updateOf(payment: Payment, next: Next, { change, retryAfterMs }: Cause): PaymentUpdate {
  const outcome = change.kind === 'outcome' ? change.outcome : undefined;
  const done = isFinal(next.state);
  const show = shownBy(outcome, payment);
  return {
    state: next.state,
    unknown: next.unknown,
    ...sumsOf(next),
    decidedBy: next.decidedBy ?? null,
    ...(outcome?.status === 'declined' && {
      reason: outcome.reason,
      declineKind: outcome.kind,
      declineCode: outcome.code,
    }),
    ...(outcome?.status === 'unknown' && { reason: outcome.why }),
    ...(next.state === 'expired' && { reason: EXPIRED, declineCode: 'expired' }),
    ...givenBack(payment, next),
    ...(payment.asideText !== null && !next.aside && { aside: null }),
    ...(next.current !== undefined && { providerReference: next.current }),
    ...(outcome?.provider && { provider: outcome.provider }),
    ...(show && { show }),
    ...((done || next.state === 'partially_approved') && { show: null }),
    ...(outcome?.agreement && { agreement: { ...payment.agreement, ...outcome.agreement } }),
    ...(outcome?.connectorState && { connectorState: { ...payment.connectorState, ...outcome.connectorState } }),
    ...pollOf(payment, next, retryAfterMs),
  };
}

/**
 * When the service looks next. A partial approval is handled at once. Once its lookups are used up, a payment keeps the one at the end of its
 * payable time. An ended payment keeps the one that a hint or an incomplete answer has planned.
 */
function pollOf(
  payment: Payment,
  { state, unknown: isUnknown }: Next,
  retryAfterMs: number | undefined,
): Pick<PaymentUpdate, 'pollInMs'> {
  if (state === 'partially_approved') return { pollInMs: 0 };
  const isEnded = (each: Next['state']) => isFinal(each) || each === 'authorized';
  if (isEnded(state)) return isEnded(payment.state) ? {} : { pollInMs: null };
  const pollInMs = notBefore(retryAfterMs, nextPollMs(payment.polls, isUnknown));
  return pollInMs === null ? {} : { pollInMs };
}

/** A partial approval that was given back ends as a soft decline, after which another attempt may succeed. */
export const givenBack = (payment: Payment, next: Pick<Next, 'state'>): Partial<PaymentUpdate> =>
  payment.state === 'partially_approved' && next.state === 'declined'
    ? { reason: DECLINE_REASONS.given_back, declineKind: 'soft', declineCode: 'given_back' }
    : {};
