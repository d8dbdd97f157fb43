import { callbackWords, type Decision, type PaymentChange } from '@railyard/core/payment';
import type { TransitionDeps } from './deps.ts';
import type { Payment, Transition } from '../../storage/index.ts';
import type { Cause } from './cause.ts';
import { type CallbackSources, callbacksFor } from './callbacks-for.ts';
import type { NotWritten } from './decide-and-write.ts';
import { kindOf } from '../state/mandate.ts';
import { stateOf } from '../state/payment-state.ts';
import { nextPollMs } from './poll-plan.ts';
import { writeTransition } from './write-transition.ts';

type Quarantine = Extract<Decision, { do: 'quarantine' }>;

/**
 * The mark of a payment for which money came that does not fit: from now on it neither expires nor declines by itself, and
 * reconciliation notifies an operator. The driver of a run that brought the outcome ends the run, and may have to ask the provider.
 *
 * @returns undefined where there is nothing to mark
 */
export async function asideTransition(
  context: TransitionDeps,
  payment: Payment,
  { aside, why }: Quarantine,
  cause: Cause,
  callbackInput: () => Promise<CallbackSources>,
): Promise<Transition | undefined> {
  if (aside === undefined || payment.asideText !== null) return undefined;
  const state = payment.state === 'created' ? 'pending' : payment.state;
  const next = { ...stateOf(payment), state, aside: true };
  const reference = newReference(payment, cause.change);
  return {
    paymentId: payment.id,
    expectedVersion: payment.version,
    change: {
      state,
      unknown: payment.unknown,
      aside: `${aside.text} ${aside.currency}`,
      // The payer has paid, with another amount: the payment details are no longer shown.
      ...(cause.change.kind === 'outcome' && { show: null }),
      ...(reference !== undefined && { providerReference: reference }),
      ...(state !== payment.state && { pollInMs: nextPollMs(payment.polls, false) }),
    },
    event: {
      kind: 'set-aside',
      data: { why, amount: aside.text, currency: aside.currency, event: cause.event?.event.id },
    },
    ...(reference !== undefined && { references: [{ providerReference: reference }] }),
    callbacks: callbacksFor(context, payment, {
      ...(await callbackInput()),
      next,
      before: callbackWords(kindOf(payment), stateOf(payment)),
      words: callbackWords(kindOf(payment), next),
      outcome: undefined,
    }),
  };
}

/** Writes the mark. The money is there whatever its reference: one that belongs to another payment is left out. */
export async function writeAside(context: TransitionDeps, transition: Transition): Promise<'marked' | NotWritten> {
  const written = await writeTransition(context, transition, () => {
    const { references: _references, ...without } = transition;
    return without;
  });
  if (written.result === 'stale' || written.result === 'undone') return written;
  if (written.result === 'applied') context.changed(transition.paymentId);
  return 'marked';
}

/** The reference of a call's answer, where the payment has none yet. */
function newReference({ providerReference }: Payment, change: PaymentChange): string | undefined {
  if (providerReference !== null || change.kind !== 'outcome' || change.via !== 'flow') return undefined;
  return change.outcome.providerReference === '' ? undefined : change.outcome.providerReference;
}
