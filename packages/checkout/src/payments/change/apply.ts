import { eventData, isOtherPayable, payableUntil, shownBy, updateOf, type Cause, type EventCause } from './plan.ts';
import { isDeepStrictEqual } from 'node:util';
import { unknown } from '@railyard/core';
import { eventKey } from '@railyard/core/driver';
import {
  callbackWords,
  decide,
  inState,
  modificationWords,
  sameFacts,
  type End,
  type PaymentChange,
} from '@railyard/core/payment';
import type { TransitionDeps } from './deps.ts';
import { readStoredSession, type OpenSession } from '../../sessions/session.ts';
import type { NewModification, Payment, StartedPayment, Transition } from '../../storage/index.ts';
import { kindOf, mandateTokens, stateOf, type Known } from '../payment.ts';
import { afterChange, asideTransition, isPaidByAnother, writeAside, type Change } from './after.ts';
import { callbacksFor, scheduleChange, scheduleSource, type CallbackSources } from './callbacks.ts';
import { browserFor, cardOfCallback } from '../../callbacks/fields.ts';
import { decideAndWrite, readPayment, writeTransition, type Decision, type Written } from './write.ts';

export type Applied =
  | {
      readonly result: 'applied';
      readonly payment: Payment;
      readonly closedSession: boolean;
      readonly started?: StartedPayment;
    }
  | { readonly result: 'unchanged'; readonly why: string }
  | { readonly result: 'quarantined'; readonly why: string; readonly needsSync: boolean }
  /** The event was applied before, or the run belongs to another process by now. */
  | { readonly result: 'superseded' };

/**
 * The one door through which a payment changes. Reads it, lets core decide, and writes state, history, callbacks and the event
 * in one statement, on the version that was read.
 */
export function applyChange(
  context: TransitionDeps,
  paymentId: string,
  cause: Reported,
  held?: Known,
): Promise<Applied> {
  return decideAndWrite<Known, Change | Mark, Applied>(context, paymentId, {
    held,
    read: async () => ({ payment: await readPayment(context, paymentId) }),
    decide: (rows) => planOf(context, rows, cause),
    write: (plan) => (plan.kind === 'mark' ? writeMark(context, plan) : writeChange(context, plan, cause)),
  });
}

/** A cause whose change may depend on the state that the payment is in. */
type Reported = Omit<Cause, 'change'> & { readonly change: PaymentChange | End };

/** The mark of unexpected money, and the result of such a change. */
interface Mark {
  readonly kind: 'mark';
  readonly transition: Transition;
  readonly answer: Applied;
}

async function planOf(
  context: TransitionDeps,
  rows: Known,
  reported: Reported,
): Promise<Decision<Change | Mark, Applied>> {
  const { payment } = rows;
  const cause: Cause = { ...reported, change: inState(stateOf(payment), reported.change) };
  const unchanged = (why: string) => ({ answer: { result: 'unchanged', why } }) as const;
  const decision = decide(stateOf(payment), cause.change);
  if (decision.do === 'ignore') return unchanged(decision.why);
  if (decision.do === 'quarantine') {
    const answer = { result: 'quarantined', why: decision.why, needsSync: decision.needsSync } as const;
    const transition = await asideTransition(context, payment, decision, cause, () => callbackSources(context, rows));
    return transition === undefined ? { answer } : { plan: { kind: 'mark', transition, answer } };
  }
  const { next } = decision;
  if (decision.learned === true) return changePlan(context, rows, next, learning(cause, next));
  if (await mayYetBePaid(context, payment, cause.change)) return unchanged(OTHER_PAYABLE);
  if (isSame(payment, next, cause)) return unchanged('nothing new');
  return changePlan(context, rows, next, cause, decision.attention);
}

/** Of an outcome that is outdated but for its facts, these alone are the change. */
const learning = ({ change, ...cause }: Cause, { facts }: Next): Cause => ({
  ...cause,
  change: {
    kind: 'facts',
    facts,
    via: 'via' in change && change.via !== 'rule' && change.via !== 'merchant' ? change.via : 'flow',
  },
});

async function changePlan(
  context: TransitionDeps,
  rows: Known,
  next: Next,
  cause: Cause,
  attention?: string,
): Promise<Decision<Change | Mark, Applied>> {
  const { payment } = rows;
  const callbackInput = await callbackSources(context, rows);
  const isFailed = next.state === 'declined' || next.state === 'expired';
  const isTold = !isFailed || !(await isPaidByAnother(context, payment, callbackInput.session));
  const transition = transitionOf(context, payment, next, callbackInput, cause, isTold);
  return { plan: { kind: 'change', before: payment, callbackInput, transition, attention } };
}

async function writeMark(context: TransitionDeps, { transition, answer }: Mark): Promise<Written<Applied>> {
  const written = await writeAside(context, transition);
  return written === 'marked' ? { answer } : written;
}

async function writeChange(context: TransitionDeps, change: Change, cause: Reported): Promise<Written<Applied>> {
  const { failover: _failover, ...alone } = cause;
  const { paymentId } = change.transition;
  const written = await writeTransition(context, change.transition);
  switch (written.result) {
    case 'applied':
      await afterChange(context, change, written);
      return { answer: written };
    case 'foreign-reference':
      context.log.error({ event: 'needs-attention', payment: paymentId, why: FOREIGN_REFERENCE });
      return { answer: await applyChange(context, paymentId, withoutReference(alone)) };
    case 'not-inserted':
      return { answer: await applyChange(context, paymentId, alone) };
    case 'seen':
    case 'run-lost':
      return { answer: { result: 'superseded' } };
    case 'stale':
    case 'undone':
      return written;
  }
}

export async function callbackSources(
  context: TransitionDeps,
  { payment, session: held, first }: Known,
): Promise<CallbackSources> {
  const card = await cardOfCallback(context, payment, first?.card);
  const mandate = await mandateTokens(context, payment, first?.payment);
  const session = held ?? (await sessionOf(context, payment));
  const browser = await browserFor(context, payment, session.merchant.config.callbackData);
  const schedule = await scheduleSource(context, payment, session);
  return { session, card, mandate, browser, schedule };
}

const OTHER_PAYABLE = 'Another code of the payment can still be paid.';

/** An expired code says nothing about an older code that the payer also has. */
async function mayYetBePaid(
  { stores, now }: TransitionDeps,
  payment: Payment,
  change: PaymentChange,
): Promise<boolean> {
  if (change.kind !== 'outcome' || change.outcome.status !== 'declined') return false;
  if (change.via !== 'notification' && change.via !== 'status') return false;
  const { providerReference: reference } = change.outcome;
  return reference !== undefined && isOtherPayable(await stores.payments.referencesOf(payment.id), reference, now());
}

const FOREIGN_REFERENCE = 'The provider answered a reference that belongs to another payment.';

/** A change whose reference cannot be trusted: its outcome is unknown. */
function withoutReference(cause: Reported): Cause {
  const outcome = unknown(FOREIGN_REFERENCE);
  return { ...cause, change: { kind: 'outcome', outcome, via: 'flow' } };
}

type Next = ReturnType<typeof stateOf>;

/** Pending again, with nothing new to show or to watch: a poll that found nothing. */
function isSame(payment: Payment, next: Next, { change, run, event }: Cause): boolean {
  if (run !== undefined || event !== undefined || change.kind !== 'outcome') return false;
  const show = shownBy(change.outcome, payment);
  return (
    payment.state === next.state &&
    payment.unknown === next.unknown &&
    (show === undefined || isDeepStrictEqual(show, payment.show)) &&
    payment.providerReference === (next.current ?? null) &&
    sameFacts(payment.facts, next.facts)
  );
}

export async function sessionOf(context: TransitionDeps, payment: Payment): Promise<OpenSession> {
  const stored = payment.sessionId === null ? undefined : await context.stores.sessions.find(payment.sessionId);
  if (stored === undefined) throw new Error(`Payment ${payment.id} has no session.`);
  return readStoredSession(context, stored);
}

function transitionOf(
  context: TransitionDeps,
  payment: Payment,
  next: Next,
  callbackInput: CallbackSources,
  cause: Cause,
  isTold: boolean,
): Transition {
  const outcome = cause.change.kind === 'outcome' ? cause.change.outcome : undefined;
  const { before, words } = wordsOf(payment, next, cause.change);
  const references = referencesOf(payment, cause.change);
  const failover = next.state === 'declined' && payment.version === 1 ? cause.failover : undefined;
  const closeSession =
    failover === undefined && !isWithdrawal(cause.change) ? closing(payment, next, callbackInput.session) : undefined;
  return {
    paymentId: payment.id,
    expectedVersion: payment.version,
    change: updateOf(payment, next, cause),
    event: { kind: cause.change.kind, data: { ...eventData(cause), ...(failover && { cascadedTo: failover.id }) } },
    ...(references.length > 0 && { references }),
    // Only the last payment of a cascade is reported (reference: Callback, Transport and delivery).
    callbacks:
      failover === undefined && isTold
        ? callbacksFor(context, payment, {
            ...callbackInput,
            next,
            words,
            before,
            outcome,
            nextAction: cause.nextAction,
            ...modificationOf(cause.change),
          })
        : [],
    ...(failover && { failover }),
    schedule: scheduleChange(context, payment, { ...callbackInput, next, outcome }),
    ...(cause.event && { providerEvent: providerEventOf(cause.event) }),
    ...(cause.run && { run: cause.run }),
    ...(closeSession && { closeSession }),
    ...(cause.change.kind === 'refund' && { newModification: refundAtProvider(context, cause.change) }),
  };
}

/** A refund that was made at the provider is reported like one of ours, also where the payment stays settled. */
function wordsOf(payment: Payment, next: Next, change: PaymentChange) {
  if (change.kind === 'refund' && payment.state !== 'partially_approved') {
    const words = modificationWords({ name: 'refund', state: 'succeeded' }, next);
    return { before: undefined, words };
  }
  return {
    before: callbackWords(kindOf(payment), stateOf(payment)),
    words: callbackWords(kindOf(payment), next),
  };
}

/** A refund that was made at the provider has its amount like one of ours. */
const modificationOf = (change: PaymentChange) =>
  change.kind === 'refund' ? { modification: { kind: 'refund', amount: change.amount } as const } : {};

function refundAtProvider(
  context: TransitionDeps,
  { amount: { text, minor, currency }, providerReference: reference }: Extract<PaymentChange, { kind: 'refund' }>,
): NewModification {
  return { id: context.newId(), kind: 'refund', amount: { text, minor, currency }, providerReference: reference };
}

function referencesOf(payment: Payment, change: PaymentChange): { providerReference: string; payableUntil?: Date }[] {
  const reference =
    change.kind === 'deposit'
      ? change.providerReference
      : change.kind === 'outcome'
        ? change.outcome.providerReference
        : undefined;
  const until = change.kind === 'outcome' ? payableUntil(change.outcome, payment) : undefined;
  return reference === undefined || reference === ''
    ? []
    : [{ providerReference: reference, ...(until && { payableUntil: until }) }];
}

/** The provider withdrew the payer's code. The payer pays another way in the same session, also after the last allowed decline. */
const isWithdrawal = (change: PaymentChange): boolean =>
  change.kind === 'outcome' &&
  change.via === 'status' &&
  change.outcome.status === 'declined' &&
  change.outcome.code === 'stopped_by_payer';

/** A session is completed by money, and ended by its last allowed decline. */
export function closing(payment: Payment, next: Next, session: OpenSession): 'completed' | 'cancelled' | undefined {
  if (next.state === 'settled' || next.state === 'authorized') return 'completed';
  if (next.state === 'declined' && payment.payerTry >= session.merchant.config.maxDeclines) return 'cancelled';
  return undefined;
}

export function providerEventOf({
  event,
  notificationId,
  endsNotification,
}: EventCause): NonNullable<Transition['providerEvent']> {
  const amount =
    'amount' in event
      ? event.amount
      : 'outcome' in event && 'amount' in event.outcome
        ? event.outcome.amount
        : undefined;
  return {
    eventId: eventKey(event),
    kind: event.kind,
    providerReference: event.providerReference,
    ...(amount && { amountText: amount.text, currency: amount.currency }),
    data: { provider: event.provider },
    ...(notificationId !== undefined && { notificationId }),
    ...(endsNotification !== undefined && { endsNotification }),
  };
}
