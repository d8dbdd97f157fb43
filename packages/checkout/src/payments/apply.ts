import { isDeepStrictEqual } from 'node:util';
import {
  callbackWords,
  type CallbackWords,
  decide,
  eventKey,
  isFinal,
  type Outcome,
  type PaymentChange,
  type ProviderEvent,
  unknown,
} from '@railyard/core';
import { callbackBody } from '../callbacks/callback-body.ts';
import type { ServiceContext } from '../service-context.ts';
import { type OpenSession, readStoredSession } from '../sessions/open-session.ts';
import type { Payment, PaymentUpdate, Transition } from '../storage/index.ts';
import { stateOf } from './payment-state.ts';
import { nextPollMs } from './poll-plan.ts';

/** Why a payment is to change: what happened, and the event or run that told it. */
export interface Cause {
  readonly change: PaymentChange;
  /** The provider's event behind the change; known once, it has one effect. */
  readonly event?: { readonly event: ProviderEvent; readonly notificationId?: string };
  /** The run that ends with this change. */
  readonly run?: NonNullable<Transition['run']>;
}

export type Applied =
  | { readonly result: 'applied'; readonly payment: Payment }
  | { readonly result: 'unchanged'; readonly why: string }
  | { readonly result: 'quarantined'; readonly why: string; readonly lookUp: boolean }
  /** The event was applied before, or the run belongs to another process by now. */
  | { readonly result: 'superseded' };

/** Two processes that decide at once: one of them reads again. More rounds than this would be a fault. */
const MAX_ROUNDS = 20;

/**
 * The one door through which a payment changes. Reads it, lets core decide, and writes state, history, callbacks and the event
 * in one statement, on the version that was read.
 */
export async function applyChange(context: ServiceContext, paymentId: string, cause: Cause): Promise<Applied> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const payment = await context.stores.payments.find(paymentId);
    if (payment === undefined) throw new Error(`There is no payment ${paymentId}.`);
    const decision = decide(stateOf(payment), cause.change);
    if (decision.do === 'ignore') return { result: 'unchanged', why: decision.why };
    if (decision.do === 'quarantine') return { result: 'quarantined', why: decision.why, lookUp: decision.lookUp };
    if (isSame(payment, decision.next, cause)) return { result: 'unchanged', why: 'nothing new' };
    const session = await sessionOf(context, payment);
    const transition = transitionOf(context, payment, decision.next, session, cause);
    const written = await writeTransition(context, transition);
    if (written === 'foreign-reference') {
      context.log.error({ event: 'needs-attention', payment: paymentId, why: FOREIGN_REFERENCE });
      return applyChange(context, paymentId, withoutReference(cause));
    }
    if (written.result === 'seen' || written.result === 'run-lost') return { result: 'superseded' };
    if (written.result === 'applied') {
      context.log.info({
        event: 'payment',
        payment: paymentId,
        from: payment.state,
        to: written.payment.state,
        unknown: written.payment.unknown,
      });
      context.changed(paymentId);
      return { result: 'applied', payment: written.payment };
    }
  }
  throw new Error(`Payment ${paymentId} changed ${MAX_ROUNDS} times while it was being decided about.`);
}

const FOREIGN_REFERENCE = 'The provider answered a reference that belongs to another payment.';

/** Two payments under one reference could take each other's money, so the database refuses the second. */
async function writeTransition(context: ServiceContext, transition: Transition) {
  try {
    return await context.stores.payments.applyTransition(transition);
  } catch (error) {
    if (isForeignReference(error)) return 'foreign-reference';
    throw error;
  }
}

function isForeignReference(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error) || error.code !== '23505') return false;
  return 'constraint' in error && error.constraint === 'payment_references_pkey';
}

/** What is left to say when the reference cannot be trusted: nobody knows. */
function withoutReference(cause: Cause): Cause {
  const outcome = unknown(FOREIGN_REFERENCE);
  return { ...cause, change: { kind: 'outcome', outcome, via: 'flow' } };
}

type Next = ReturnType<typeof stateOf>;

/** Pending again, with nothing new to show or to watch: a poll that found nothing. */
function isSame(payment: Payment, next: Next, { change, run, event }: Cause): boolean {
  if (run !== undefined || event !== undefined || change.kind !== 'outcome') return false;
  const { outcome } = change;
  const show = outcome.status === 'pending' ? outcome.show : undefined;
  return (
    payment.state === next.state &&
    payment.unknown === next.unknown &&
    (show === undefined || isDeepStrictEqual(show, payment.show)) &&
    payment.providerReference === (next.current ?? null)
  );
}

async function sessionOf(context: ServiceContext, payment: Payment): Promise<OpenSession> {
  const stored = payment.sessionId === null ? undefined : await context.stores.sessions.find(payment.sessionId);
  if (stored === undefined) throw new Error(`Payment ${payment.id} has no session.`);
  return readStoredSession(context, stored);
}

function transitionOf(
  context: ServiceContext,
  payment: Payment,
  next: Next,
  session: OpenSession,
  cause: Cause,
): Transition {
  const outcome = cause.change.kind === 'outcome' ? cause.change.outcome : undefined;
  const before = callbackWords(payment.operation, stateOf(payment));
  const words = callbackWords(payment.operation, next);
  const references = referencesOf(cause.change);
  const closeSession = closing(payment, next, session);
  return {
    paymentId: payment.id,
    expectedVersion: payment.version,
    change: updateOf(payment, next, outcome),
    event: { kind: cause.change.kind, data: eventData(cause) },
    ...(references.length > 0 && { references }),
    callbacks: callbacksFor(context, payment, next, session, words, before, outcome),
    ...(cause.event && { providerEvent: providerEventOf(cause.event) }),
    ...(cause.run && { run: cause.run }),
    ...(closeSession && { closeSession }),
  };
}

function updateOf(payment: Payment, next: Next, outcome: Outcome | undefined): PaymentUpdate {
  const done = isFinal(next.state);
  return {
    state: next.state,
    unknown: next.unknown,
    ...(next.received && {
      received: { text: next.received.text, minor: next.received.minor, currency: next.received.currency },
    }),
    ...(next.state === 'authorized' && outcome?.status === 'authorized' && { authorizedMinor: outcome.amount.minor }),
    decidedBy: next.decidedBy ?? null,
    ...(outcome?.status === 'declined' && { reason: outcome.reason, declineKind: outcome.kind }),
    ...(outcome?.status === 'unknown' && { reason: outcome.why }),
    ...(next.current !== undefined && { providerReference: next.current }),
    ...(outcome?.provider && { provider: outcome.provider }),
    ...(outcome?.status === 'pending' && outcome.show && { show: outcome.show }),
    ...(done && { show: null }),
    ...(outcome?.keep && { kept: { ...payment.kept, ...outcome.keep } }),
    pollInMs: done || next.state === 'authorized' ? null : nextPollMs(payment.polls, next.unknown),
  };
}

function referencesOf(change: PaymentChange): { reference: string }[] {
  const reference = change.kind === 'deposit' ? change.reference : change.outcome.reference;
  return reference === undefined || reference === '' ? [] : [{ reference }];
}

/** A session is completed by money, and ended by its last allowed decline. */
function closing(payment: Payment, next: Next, session: OpenSession): 'completed' | 'cancelled' | undefined {
  if (next.state === 'settled' || next.state === 'authorized') return 'completed';
  if (next.state === 'declined' && payment.attempt >= session.merchant.config.maxDeclines) return 'cancelled';
  return undefined;
}

function callbacksFor(
  context: ServiceContext,
  payment: Payment,
  next: Next,
  session: OpenSession,
  words: CallbackWords,
  before: CallbackWords,
  outcome: Outcome | undefined,
): NonNullable<Transition['callbacks']> {
  const url = session.merchant.config.callbackUrl;
  const deposit = outcome === undefined && next.received !== undefined;
  const same = words.status === before.status && words.order_status === before.order_status;
  if (url === undefined || (same && !deposit)) return [];
  const body = callbackBody({
    paymentId: payment.id,
    session,
    words,
    reason: outcome?.status === 'declined' ? outcome.reason : undefined,
    receivedText: next.received?.text,
    payerIp: payment.payerIp ?? undefined,
    at: context.now(),
  });
  return [{ id: `msg_${context.newId()}`, url, contentType: 'application/x-www-form-urlencoded; charset=utf-8', body }];
}

/** What the history keeps: words and references, no personal data. */
function eventData({ change, event }: Cause): unknown {
  if (change.kind === 'deposit')
    return {
      event: event?.event.id,
      reference: change.reference,
      amount: change.amount.text,
      confirmed: change.confirmed,
    };
  const { status, reference, provider } = change.outcome;
  return { status, reference, provider, via: change.via, event: event?.event.id };
}

function providerEventOf({
  event,
  notificationId,
}: NonNullable<Cause['event']>): NonNullable<Transition['providerEvent']> {
  const amount =
    'amount' in event
      ? event.amount
      : 'outcome' in event && 'amount' in event.outcome
        ? event.outcome.amount
        : undefined;
  return {
    eventId: eventKey(event),
    kind: event.kind,
    reference: event.reference,
    ...(amount && { amountText: amount.text, currency: amount.currency }),
    data: { provider: event.provider },
    ...(notificationId !== undefined && { notificationId }),
  };
}
