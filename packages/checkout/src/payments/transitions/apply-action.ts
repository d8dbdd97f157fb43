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
import { decideInTurn } from './contention.ts';
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
  return decideInTurn<Applied>(context, known.paymentId, async () => {
    const action = await context.stores.actions.find(actionId);
    const payment = action && (await context.stores.payments.find(action.paymentId));
    if (action === undefined || payment === undefined) throw new Error(`There is no action ${actionId}.`);
    const state = stateOf(payment);
    const decision = decideAction(state, actionStateOf(action), cause);
    if (decision.do === 'ignore') return { result: 'unchanged', why: decision.why };
    if (decision.do === 'quarantine') return { result: 'quarantined', why: decision.why, lookUp: false };
    if (isSame(action, decision.action, cause)) return { result: 'unchanged', why: 'nothing new' };
    const twin = await twinOf(context, action, decision.action);
    if (twin !== undefined)
      return { result: 'quarantined', why: `Its reference is that of the refund ${twin.id}.`, lookUp: false };
    const decided = await transitionOf(context, payment, action, decision, cause);
    const transition = withAttention(decided, decision.attention);
    const written = await writeTransition(context, transition, () => {
      const { references: _references, ...without } = transition;
      tellAttention(context, action, FOREIGN_REFERENCE);
      return withAttention(without, FOREIGN_REFERENCE);
    });
    if (written.result === 'stale' || written.result === 'undone') return undefined;
    if (written.result !== 'applied') return { result: 'superseded' };
    context.log.info({
      event: 'action',
      payment: payment.id,
      action: actionId,
      kind: action.kind,
      from: action.state,
      to: decision.action.state,
    });
    if (decision.attention !== undefined)
      tellAttention(context, { ...action, state: decision.action.state }, decision.attention);
    context.changed(payment.id);
    const wait = transition.action?.pollInMs;
    if (typeof wait === 'number') context.wake('action-lookups', wait);
    if (transition.change.pollInMs === 0) context.wake('lookups');
    return { result: 'applied', payment: written.payment };
  });
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
    // News may come under the capture's own reference; lookups go on under the hold's.
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
