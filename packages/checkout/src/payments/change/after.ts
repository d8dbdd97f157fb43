import { callbackWords, type Decision, type PaymentChange } from '@railyard/core/payment';
import type { TransitionDeps } from './deps.ts';
import type { Payment, Transition, TransitionResult } from '../../storage/index.ts';
import { nextPollMs, type Cause } from './plan.ts';
import { callbacksFor, type CallbackSources } from './callbacks.ts';
import { syncIfHinted, writeTransition, type NotWritten } from './write.ts';
import { enteredFrom, kindOf, stateOf } from '../payment.ts';
import type { OpenSession } from '../../sessions/session.ts';

const hasMoney = ({ state }: Pick<Payment, 'state'>): boolean => state === 'settled' || state === 'authorized';

/** The payment that completed the session of `payment` before it, and still has its money. The database serializes which was first. */
export async function paidBefore(
  { stores }: Pick<TransitionDeps, 'stores'>,
  { id, sessionId, state }: Payment,
): Promise<Payment | undefined> {
  if (sessionId === null || !hasMoney({ state })) return undefined;
  const paidBy = (await stores.sessions.find(sessionId))?.paidPaymentId ?? undefined;
  const first = paidBy === undefined || paidBy === id ? undefined : await stores.payments.find(paidBy);
  return first !== undefined && hasMoney(first) ? first : undefined;
}

/** Whether another payment has completed the session. Another attempt of a paid session ends without a callback, which the merchant would take for the order's end. */
export async function isPaidByAnother(
  { stores }: Pick<TransitionDeps, 'stores'>,
  { id, attempt }: Pick<Payment, 'id' | 'attempt'>,
  { stored }: OpenSession,
): Promise<boolean> {
  if (attempt < 2 && stored.attempts < 2) return false;
  // A run has its session as it was when it began.
  const paidBy = (await stores.sessions.find(stored.id))?.paidPaymentId ?? null;
  return paidBy !== null && paidBy !== id;
}

/**
 * Looks whether money has come twice: a payer paid by two codes, or a provider was paid after its decline. The work for lookups then gives
 * back the second payment. After a crash reconciliation finds it.
 */
export async function followIfPaidTwice(
  context: TransitionDeps,
  before: Payment,
  { payment, closedSession }: Extract<TransitionResult, { result: 'applied' }>,
): Promise<void> {
  if (closedSession || hasMoney(before) || !hasMoney(payment)) return;
  const first = await paidBefore(context, payment);
  if (first === undefined) return;
  context.log.warn({ event: 'paid-twice', payment: payment.id, why: `The payment ${first.id} completed its session.` });
  await context.stores.payments.schedulePoll(payment.id, 0);
  context.wake('lookups');
}

/** A change of the payment `before`, and what its callbacks are made of. */
export interface Change {
  readonly kind: 'change';
  readonly before: Payment;
  readonly callbackInput: CallbackSources;
  readonly transition: Transition;
  /** Why a person should look at it all the same. */
  readonly attention?: string | undefined;
}

/** Once a change is written: the log, waiting pages, the work that is due, and hints that came before the payment was known. */
export async function afterChange(
  context: TransitionDeps,
  { before, callbackInput, transition, attention }: Change,
  applied: Extract<TransitionResult, { result: 'applied' }>,
): Promise<void> {
  const { payment, started } = applied;
  context.log.info({
    event: 'payment',
    payment: payment.id,
    from: before.state,
    to: payment.state,
    unknown: payment.unknown,
  });
  if (attention !== undefined) context.log.error({ event: 'needs-attention', payment: payment.id, why: attention });
  context.changed(payment.id);
  const wait = transition.change.pollInMs;
  if (typeof wait === 'number') context.wake('lookups', wait);
  if (makesChainDue(transition)) context.wake('schedules');
  if (started !== undefined) logCascaded(context, before, started.payment);
  if (isPayersDecline(callbackInput, before, payment))
    context.countDecline?.(payment, await payersAddresses(context, callbackInput.session, payment));
  await syncIfHinted(context, before, transition.references ?? []);
  await followIfPaidTwice(context, before, applied);
  if (applied.closedSession && hasMoney(payment)) await followOthers(context, callbackInput.session, payment);
}

/** The other attempts of an order that is now paid are looked up at once. An attempt that waits for its payer and moves no money ends there. */
async function followOthers({ stores, wake }: TransitionDeps, { stored }: OpenSession, paid: Payment): Promise<void> {
  if (paid.attempt < 2 && stored.attempts < 2) return;
  const open = (await stores.payments.ofSession(stored.id)).filter(
    ({ state }) => state === 'created' || state === 'pending',
  );
  for (const { id } of open) await stores.payments.schedulePoll(id, 0);
  if (open.length > 0) wake('lookups');
}

/** A payer who stops, or who lets a code expire, guesses no cards. */
const isPayersDecline = ({ session }: CallbackSources, before: Payment, { state, declineCode }: Payment): boolean =>
  (session.stored.payerPresence === 'page' || session.stored.payerPresence === 'fields') &&
  before.state !== 'declined' &&
  state === 'declined' &&
  declineCode !== 'stopped_by_payer';

/**
 * The addresses that a decline counts for. In hosted fields the browser's own, whatever the merchant says, and the one that the merchant sent: any
 * other that the payment has is shared by all of the merchant's payers.
 */
async function payersAddresses(
  context: TransitionDeps,
  { stored, request }: OpenSession,
  payment: Payment,
): Promise<readonly (string | undefined)[]> {
  if (stored.payerPresence === 'page') return [payment.payerIp ?? undefined];
  const addresses = [request.customer?.ip, await enteredFrom(context, payment)];
  return addresses.filter((each) => each !== undefined);
}

/** A chain begins, or one of its charges was declined and may be tried again. */
const makesChainDue = ({ schedule }: Transition): boolean =>
  schedule !== undefined && (schedule.kind === 'began' || schedule.state !== 'settled');

function logCascaded({ log }: TransitionDeps, { id }: Payment, next: Payment): void {
  log.info({ event: 'cascaded', payment: id, to: next.id, mid: next.midId });
}

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

/** Writes the mark. The money is there whatever its reference. A reference that belongs to another payment is left out. */
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
