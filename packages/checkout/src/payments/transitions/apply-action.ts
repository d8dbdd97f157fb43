import { money, type Outcome, type ProviderEvent } from '@railyard/core';
import {
  type ActionState,
  actionWords,
  callbackWords,
  decideAction,
  isOpenAction,
  type PaymentState,
  type Via,
} from '@railyard/core/payment';
import type { TransitionDeps } from './deps.ts';
import type { Action, Payment, PaymentUpdate, Transition } from '../../storage/index.ts';
import { callbacksFor, type Told } from './callbacks-for.ts';
import { cardOfCallback } from '../../callbacks/content/card-of-callback.ts';
import { chainTokens, kindOf } from '../state/chain.ts';
import { decideAndWrite, type Decided, readPayment, type Written } from './decide-and-write.ts';
import { type Applied, closing, givenBack, providerEventOf, sessionOf, sumsOf } from './apply.ts';
import { historyWords } from './history.ts';
import { stateOf } from '../state/payment-state.ts';
import { nextPollMs } from './poll-plan.ts';
import { writeTransition } from './write-transition.ts';

/** The outcome of an action, and its source. */
export interface ActionCause {
  readonly outcome: Outcome;
  readonly via: Via;
  /** The provider's event behind it; known once, it has one effect. */
  readonly event?: { readonly event: ProviderEvent; readonly notificationId?: string };
  /** The run that ends with it. */
  readonly run?: NonNullable<Transition['run']>;
}

/**
 * The door through which an action on a payment changes, and the payment with it: read, decided by core, and written with
 * history, callback, event and run in one statement on the version that was read.
 */
export async function applyAction(context: TransitionDeps, actionId: string, cause: ActionCause): Promise<Applied> {
  const known = await context.stores.actions.find(actionId);
  if (known === undefined) throw new Error(`There is no action ${actionId}.`);
  return decideAndWrite(context, known.paymentId, {
    async read() {
      const action = await context.stores.actions.find(actionId);
      if (action === undefined) throw new Error(`There is no action ${actionId}.`);
      return { action, payment: await readPayment(context, action.paymentId) };
    },
    decide: (read) => planOf(context, read, cause),
    write: (plan) => write(context, plan),
  });
}

/** A step of the action `before`, as core decided it. */
interface Step {
  readonly before: Action;
  readonly next: ActionState;
  readonly attention: string | undefined;
  readonly transition: Transition;
}

async function planOf(
  context: TransitionDeps,
  { action, payment }: { readonly action: Action; readonly payment: Payment },
  cause: ActionCause,
): Promise<Decided<Step, Applied>> {
  const decision = decideAction(stateOf(payment), actionStateOf(action), cause);
  if (decision.do === 'ignore') return { answer: { result: 'unchanged', why: decision.why } };
  const quarantined = (why: string) => ({ answer: { result: 'quarantined', why, needsSync: false } }) as const;
  if (decision.do === 'quarantine') return quarantined(decision.why);
  if (isSame(action, decision.action, cause)) return { answer: { result: 'unchanged', why: 'nothing new' } };
  const twin = await twinOf(context, action, decision.action);
  if (twin !== undefined) return quarantined(`Its reference is that of the refund ${twin.id}.`);
  const decided = await transitionOf(context, payment, action, decision, cause);
  const { action: next, attention } = decision;
  return { plan: { before: action, next, attention, transition: withAttention(decided, attention) } };
}

async function write(
  context: TransitionDeps,
  { before, next, attention, transition }: Step,
): Promise<Written<Applied>> {
  const written = await writeTransition(context, transition, () => {
    const { references: _references, ...without } = transition;
    tellAttention(context, before, FOREIGN_REFERENCE);
    return withAttention(without, FOREIGN_REFERENCE);
  });
  if (written.result === 'stale' || written.result === 'undone') return written;
  if (written.result !== 'applied') return { answer: { result: 'superseded' } };
  context.log.info({
    event: 'action',
    payment: before.paymentId,
    action: before.id,
    kind: before.kind,
    from: before.state,
    to: next.state,
  });
  if (attention !== undefined) tellAttention(context, { ...before, state: next.state }, attention);
  context.changed(before.paymentId);
  const wait = transition.action?.pollInMs;
  if (typeof wait === 'number') context.wake('action-lookups', wait);
  if (transition.change.pollInMs === 0) context.wake('lookups');
  return { answer: { result: 'applied', payment: written.payment } };
}

const FOREIGN_REFERENCE = 'The capture has a foreign reference.';

/** The history holds the reason for attention too: its later readers may not have the log. */
function withAttention(transition: Transition, attention: string | undefined): Transition {
  if (attention === undefined) return transition;
  const { event } = transition;
  return { ...transition, event: { ...event, data: { ...event.data, attention } } };
}

/** Calls for an operator, with the facts of an action. `polls`: how often the provider was asked about it. */
export function tellAttention(
  { log }: TransitionDeps,
  { id, paymentId, kind, state, amount, polls }: Action,
  why: string,
): void {
  log.error({
    event: 'needs-attention',
    payment: paymentId,
    action: id,
    kind,
    state,
    amount: `${amount.text} ${amount.currency}`,
    tries: polls,
    why,
  });
}

/** The refund that took place under the same reference: one refund of the provider's is not two of ours. */
async function twinOf(context: TransitionDeps, action: Action, next: ActionState): Promise<Action | undefined> {
  if (action.kind !== 'refund' || next.state !== 'succeeded' || next.providerReference === undefined) return undefined;
  const actions = await context.stores.actions.ofPayment(action.paymentId);
  const same = actions.filter((each) => each.kind === 'refund' && each.providerReference === next.providerReference);
  return same.find(({ id, state }) => id !== action.id && state === 'succeeded');
}

/** The part of a stored action that decides about its next step. */
export function actionStateOf({ kind, state, amount, providerReference }: Action): ActionState {
  return {
    name: kind,
    state,
    amount: money(amount.text, amount.currency),
    providerReference: providerReference ?? undefined,
  };
}

/** Open as before, with nothing new: a lookup that found nothing. */
function isSame(action: Action, next: ActionState, { run, event }: ActionCause): boolean {
  if (run !== undefined || event !== undefined) return false;
  return action.state === next.state && (action.providerReference ?? undefined) === next.providerReference;
}

async function transitionOf(
  context: TransitionDeps,
  payment: Payment,
  action: Action,
  decided: { readonly action: ActionState; readonly next: PaymentState },
  { outcome, via, event, run }: ActionCause,
): Promise<Transition> {
  const { next } = decided;
  const { state, providerReference: reference } = decided.action;
  const session = await sessionOf(context, payment);
  const card = await cardOfCallback(context, payment);
  const chain = await chainTokens(context, payment);
  const words = wordsOf(payment, action, decided);
  const why = outcome.status === 'declined' ? outcome.reason : outcome.status === 'unknown' ? outcome.why : undefined;
  const closeSession = payment.state === 'partially_approved' ? closing(payment, next, session) : undefined;
  const captured = action.kind === 'capture' && state === 'succeeded' && reference !== undefined;
  return {
    paymentId: payment.id,
    expectedVersion: payment.version,
    change: {
      state: next.state,
      unknown: next.unknown,
      ...sumsOf(next),
      decidedBy: next.decidedBy ?? null,
      ...givenBack(payment, next),
      ...pollOf(payment, decided),
      ...(outcome.keep && { kept: { ...payment.kept, ...outcome.keep } }),
    },
    event: {
      kind: 'action',
      data: {
        action: action.id,
        kind: action.kind,
        state,
        amount: action.amount.text,
        reference,
        provider: historyWords(outcome.provider),
        via,
        event: event?.event.id,
      },
    },
    action: {
      id: action.id,
      state,
      ...(reference !== undefined && { providerReference: reference }),
      ...(outcome.provider && { provider: outcome.provider }),
      ...(why !== undefined && { reason: why }),
      // A run under way asks by itself.
      pollInMs:
        isOpenAction(state) && (run !== undefined || via !== 'flow')
          ? nextPollMs(action.polls, state === 'unknown')
          : null,
    },
    // Events may come under the capture's own reference; lookups go on under the hold's.
    ...(captured && { references: [{ providerReference: reference, watched: false }] }),
    callbacks: callbacksFor(context, payment, { next, session, card, chain, ...words, outcome, action }),
    ...(closeSession && { closeSession }),
    ...(event && { providerEvent: providerEventOf(event) }),
    ...(run && { run }),
  };
}

/** Giving back a part is no action that the merchant asked for: what the payment comes to is told, and nothing else. */
function wordsOf(
  payment: Payment,
  action: Action,
  decided: { readonly action: ActionState; readonly next: PaymentState },
): Pick<Told, 'words' | 'before'> {
  if (payment.state === 'partially_approved' && action.kind !== 'capture')
    return {
      before: callbackWords(kindOf(payment), stateOf(payment)),
      words: callbackWords(kindOf(payment), decided.next),
    };
  return {
    before: actionWords({ name: action.kind, state: action.state }, stateOf(payment)),
    words: actionWords({ name: action.kind, state: decided.action.state }, decided.next),
  };
}

/** Of a part that is still there the rule is looked at again, once what was tried has ended. */
function pollOf(
  payment: Payment,
  { action, next }: { readonly action: ActionState; readonly next: PaymentState },
): Pick<PaymentUpdate, 'pollInMs'> {
  if (payment.state !== 'partially_approved') return {};
  if (next.state !== 'partially_approved') return { pollInMs: null };
  return isOpenAction(action.state) ? {} : { pollInMs: 0 };
}
