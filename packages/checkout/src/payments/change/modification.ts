import { money, type Outcome } from '@railyard/core';
import {
  callbackWords,
  decideModification,
  isOpenModification,
  modificationWords,
  sameFacts,
  type ModificationState,
  type PaymentState,
  type Via,
} from '@railyard/core/payment';
import type { TransitionDeps } from './deps.ts';
import type { Modification, Payment, PaymentUpdate, Transition } from '../../storage/index.ts';
import { callbacksFor, scheduleChange, type CallbackInput } from './callbacks.ts';
import { kindOf, stateOf } from '../payment.ts';
import { decideAndWrite, readPayment, writeTransition, type Decision, type Written } from './write.ts';
import { givenBack, historyWords, nextPollMs, notBefore, sumsOf, type EventCause, type NotBefore } from './plan.ts';
import { callbackSources, closing, providerEventOf, type Applied } from './apply.ts';

/** The outcome of a modification, and its source. */
export interface ModificationCause extends NotBefore {
  readonly outcome: Outcome;
  readonly via: Via;
  /** The provider's event behind it; known once, it has one effect. */
  readonly event?: EventCause;
  /** The run that ends with it. */
  readonly run?: NonNullable<Transition['run']>;
}

/**
 * The door through which a modification on a payment changes, and the payment with it: read, decided by core, and written with
 * history, callback, event and run in one statement on the version that was read.
 */
export async function applyModification(
  context: TransitionDeps,
  modificationId: string,
  cause: ModificationCause,
): Promise<Applied> {
  const known = await context.stores.modifications.find(modificationId);
  if (known === undefined) throw new Error(`There is no modification ${modificationId}.`);
  return decideAndWrite(context, known.paymentId, {
    async read() {
      const modification = await context.stores.modifications.find(modificationId);
      if (modification === undefined) throw new Error(`There is no modification ${modificationId}.`);
      return { modification, payment: await readPayment(context, modification.paymentId) };
    },
    decide: (read) => planOf(context, read, cause),
    write: (plan) => write(context, plan),
  });
}

/** A step of the modification `before`, as core decided it. */
interface Step {
  readonly before: Modification;
  readonly next: ModificationState;
  readonly attention: string | undefined;
  readonly transition: Transition;
}

async function planOf(
  context: TransitionDeps,
  { modification, payment }: { readonly modification: Modification; readonly payment: Payment },
  cause: ModificationCause,
): Promise<Decision<Step, Applied>> {
  const decision = decideModification(stateOf(payment), modificationStateOf(modification), cause);
  if (decision.do === 'ignore') return { answer: { result: 'unchanged', why: decision.why } };
  const quarantined = (why: string) => ({ answer: { result: 'quarantined', why, needsSync: false } }) as const;
  if (decision.do === 'quarantine') return quarantined(decision.why);
  if (isSame(modification, decision.modification, cause))
    return { answer: { result: 'unchanged', why: 'nothing new' } };
  const twin = await twinOf(context, modification, decision.modification);
  if (twin !== undefined) return quarantined(`Its reference belongs to the refund ${twin.id}.`);
  const transition = await transitionOf(context, payment, modification, decision, cause);
  const { modification: next, attention } = decision;
  return { plan: { before: modification, next, attention, transition: withAttention(transition, attention) } };
}

async function write(
  context: TransitionDeps,
  { before, next, attention, transition }: Step,
): Promise<Written<Applied>> {
  const written = await writeTransition(context, transition, () => {
    const { references: _references, ...without } = transition;
    logAttention(context, before, FOREIGN_REFERENCE);
    return withAttention(without, FOREIGN_REFERENCE);
  });
  if (written.result === 'stale' || written.result === 'undone') return written;
  if (written.result !== 'applied') return { answer: { result: 'superseded' } };
  context.log.info({
    event: 'modification',
    payment: before.paymentId,
    modification: before.id,
    kind: before.kind,
    from: before.state,
    to: next.state,
  });
  if (attention !== undefined) logAttention(context, { ...before, state: next.state }, attention);
  context.changed(before.paymentId);
  const wait = transition.modification?.pollInMs;
  if (typeof wait === 'number') context.wake('modification-lookups', wait);
  if (transition.change.pollInMs === 0) context.wake('lookups');
  return { answer: { result: 'applied', payment: written.payment, closedSession: written.closedSession } };
}

const FOREIGN_REFERENCE = 'The capture has a foreign reference.';

/** The history holds the reason for attention too: its later readers may not have the log. */
function withAttention(transition: Transition, attention: string | undefined): Transition {
  if (attention === undefined) return transition;
  const { event } = transition;
  return { ...transition, event: { ...event, data: { ...event.data, attention } } };
}

/** Calls for an operator, with the facts of a modification. `polls`: how often the provider was asked about it. */
export function logAttention(
  { log }: TransitionDeps,
  { id, paymentId, kind, state, amount, polls }: Modification,
  why: string,
): void {
  log.error({
    event: 'needs-attention',
    payment: paymentId,
    modification: id,
    kind,
    state,
    amount: `${amount.text} ${amount.currency}`,
    tries: polls,
    why,
  });
}

/** The refund that took place under the same reference: one refund of the provider's is not two of ours. */
async function twinOf(
  context: TransitionDeps,
  modification: Modification,
  next: ModificationState,
): Promise<Modification | undefined> {
  if (modification.kind !== 'refund' || next.state !== 'succeeded' || next.providerReference === undefined)
    return undefined;
  const modifications = await context.stores.modifications.ofPayment(modification.paymentId);
  const same = modifications.filter(
    (each) => each.kind === 'refund' && each.providerReference === next.providerReference,
  );
  return same.find(({ id, state }) => id !== modification.id && state === 'succeeded');
}

/** The part of a stored modification that decides about its next step. */
export function modificationStateOf({
  kind,
  state,
  amount,
  providerReference,
  facts,
}: Modification): ModificationState {
  return {
    name: kind,
    state,
    amount: money(amount.text, amount.currency),
    providerReference: providerReference ?? undefined,
    facts,
  };
}

/** Open as before, with nothing new: a lookup that found nothing. */
function isSame(modification: Modification, next: ModificationState, { run, event }: ModificationCause): boolean {
  if (run !== undefined || event !== undefined) return false;
  if (!sameFacts(modification.facts, next.facts ?? {})) return false;
  return modification.state === next.state && (modification.providerReference ?? undefined) === next.providerReference;
}

async function transitionOf(
  context: TransitionDeps,
  payment: Payment,
  modification: Modification,
  decision: { readonly modification: ModificationState; readonly next: PaymentState },
  { outcome, via, event, run, retryAfterMs }: ModificationCause,
): Promise<Transition> {
  const { next } = decision;
  const { state, providerReference: reference } = decision.modification;
  const sources = await callbackSources(context, { payment });
  const words = wordsOf(payment, modification, decision);
  const why = outcome.status === 'declined' ? outcome.reason : outcome.status === 'unknown' ? outcome.why : undefined;
  const closeSession = payment.state === 'partially_approved' ? closing(payment, next, sources.session) : undefined;
  const captured = modification.kind === 'capture' && state === 'succeeded' && reference !== undefined;
  return {
    paymentId: payment.id,
    expectedVersion: payment.version,
    change: {
      state: next.state,
      unknown: next.unknown,
      ...sumsOf(next),
      decidedBy: next.decidedBy ?? null,
      ...givenBack(payment, next),
      ...pollOf(payment, decision),
      ...(outcome.connectorState && { connectorState: { ...payment.connectorState, ...outcome.connectorState } }),
    },
    event: {
      kind: 'modification',
      data: {
        modification: modification.id,
        kind: modification.kind,
        state,
        amount: modification.amount.text,
        reference,
        provider: historyWords(outcome.provider),
        via,
        event: event?.event.id,
      },
    },
    modification: {
      id: modification.id,
      state,
      ...(reference !== undefined && { providerReference: reference }),
      ...(outcome.provider && { provider: outcome.provider }),
      ...(why !== undefined && { reason: why }),
      ...(decision.modification.facts && { facts: decision.modification.facts }),
      // A run under way asks by itself.
      pollInMs:
        isOpenModification(state) && (run !== undefined || via !== 'flow')
          ? notBefore(retryAfterMs, nextPollMs(modification.polls, state === 'unknown'))
          : null,
    },
    // Events may come under the capture's own reference; lookups go on under the hold's.
    ...(captured && { references: [{ providerReference: reference, watched: false }] }),
    callbacks: callbacksFor(context, payment, {
      ...sources,
      next,
      ...words,
      outcome,
      modification: { ...modification, facts: decision.modification.facts },
    }),
    schedule: scheduleChange(context, payment, { ...sources, next, outcome }),
    ...(closeSession && { closeSession }),
    ...(event && { providerEvent: providerEventOf(event) }),
    ...(run && { run }),
  };
}

/** The merchant did not request this give-back of a part: the payment's new state is reported, and nothing else. */
function wordsOf(
  payment: Payment,
  modification: Modification,
  decision: { readonly modification: ModificationState; readonly next: PaymentState },
): Pick<CallbackInput, 'words' | 'before'> {
  if (payment.state === 'partially_approved' && modification.kind !== 'capture')
    return {
      before: callbackWords(kindOf(payment), stateOf(payment)),
      words: callbackWords(kindOf(payment), decision.next),
    };
  return {
    before: modificationWords({ name: modification.kind, state: modification.state }, stateOf(payment)),
    words: modificationWords({ name: modification.kind, state: decision.modification.state }, decision.next),
  };
}

/** If the part is still there when the give-back has ended, the rule is applied again. */
function pollOf(
  payment: Payment,
  { modification, next }: { readonly modification: ModificationState; readonly next: PaymentState },
): Pick<PaymentUpdate, 'pollInMs'> {
  if (payment.state !== 'partially_approved') return {};
  if (next.state !== 'partially_approved') return { pollInMs: null };
  return isOpenModification(modification.state) ? {} : { pollInMs: 0 };
}
