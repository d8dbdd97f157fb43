import type { TransitionDeps } from './deps.ts';
import type { Payment, Transition, TransitionResult } from '../../storage/index.ts';
import type { CallbackSources } from './callbacks-for.ts';
import { syncIfHinted } from './schedule-sync.ts';
import { followIfPaidTwice } from './paid-twice.ts';

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
  if (isPayersDecline(callbackInput, before, payment)) context.countDecline?.(payment);
  const wait = transition.change.pollInMs;
  if (typeof wait === 'number') context.wake('lookups', wait);
  if (makesChainDue(transition)) context.wake('schedules');
  if (started !== undefined) logCascaded(context, before, started.payment);
  await syncIfHinted(context, before, transition.references ?? []);
  await followIfPaidTwice(context, before, applied);
}

/** A payer who stops, or who lets a code expire, guesses no cards. */
const isPayersDecline = ({ session }: CallbackSources, before: Payment, { state, declineCode }: Payment): boolean =>
  session.stored.payerPresence === 'page' &&
  before.state !== 'declined' &&
  state === 'declined' &&
  declineCode !== 'stopped_by_payer';

/** A chain begins, or one of its charges was declined and may be tried again. */
const makesChainDue = ({ schedule }: Transition): boolean =>
  schedule !== undefined && (schedule.kind === 'began' || schedule.state !== 'settled');

function logCascaded({ log }: TransitionDeps, { id }: Payment, next: Payment): void {
  log.info({ event: 'cascaded', payment: id, to: next.id, mid: next.midId });
}
