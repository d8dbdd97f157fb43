import { type Outcome, unknown } from '@railyard/core';
import type { RunDeps } from './deps.ts';
import type { StartedPayment, NewPayment, Payment, RunLease, Transition } from '../../storage/index.ts';
import type { PaymentRows } from '../state/held-rows.ts';
import { applyModification } from '../transitions/apply-modification.ts';
import { type Applied, applyChange } from '../transitions/apply.ts';
import type { ReplyInHand } from './deferred-journal.ts';
import { planFailover } from './plan-failover.ts';
import { scheduleSync } from '../transitions/schedule-sync.ts';

/** The rows of a run that was executed, and its reply that is not written yet. */
interface Executed extends PaymentRows {
  readonly reply: ReplyInHand;
}

/** The row that the change of the payment returned, and the payment that was begun in its place and is to be executed. */
export interface Completed {
  readonly payment: Payment;
  readonly started?: StartedPayment;
}

/** Applies the end of a run. @returns undefined where the payment's row is not in hand */
export type CompleteRun = (
  context: RunDeps,
  executed: Executed,
  lease: RunLease,
  outcome: Outcome,
) => Promise<Completed | undefined>;

/** Applies the outcome of a payment's operation and ends its run; with a soft decline the next account may be asked. */
export const completeOperation: CompleteRun = async (context, executed, lease, outcome) => {
  const failover = await planFailover(context, executed, lease, outcome);
  const completed = await completeRun(context, executed, lease, outcome, failover);
  if (failover !== undefined && completed?.started === undefined) context.securityCodes.forget(failover.run.runId);
  return completed;
};

/** The same for a later charge of a mandate, which stays with the account of the mandate. */
export const completeMandateCharge: CompleteRun = (context, executed, lease, outcome) =>
  completeRun(context, executed, lease, outcome);

async function completeRun(
  context: RunDeps,
  executed: Executed,
  lease: RunLease,
  outcome: Outcome,
  failover?: NewPayment,
): Promise<Completed | undefined> {
  const { payment, reply } = executed;
  const change = { kind: 'outcome', outcome, via: 'flow' } as const;
  const run = endOf(lease, outcome, reply);
  const applied = await applyChange(context, payment.id, { change, run, ...(failover && { failover }) }, executed);
  await settleReply(reply, applied);
  if (applied.result === 'applied') return applied;
  if (applied.result === 'superseded') return undefined;
  // A notification was faster, or the outcome does not fit: the run ends, and where it contradicts what is known the provider is asked.
  await context.stores.runs.finish(lease, { status: outcome.status });
  if (applied.result !== 'quarantined') return undefined;
  context.log.error({ event: 'quarantined', payment: payment.id, why: applied.why });
  if (applied.needsSync) await scheduleSync(context, payment.id);
  return undefined;
}

/** The end of a run, with the reply that led to it. */
const endOf = (lease: RunLease, { status }: Outcome, reply: ReplyInHand): NonNullable<Transition['run']> => ({
  lease,
  next: { state: 'finished', outcome: { status } },
  reply: reply.current(),
});

/** A reply is a fact, also where nothing changed because of it. */
async function settleReply(reply: ReplyInHand, { result }: Pick<Applied, 'result'>): Promise<void> {
  if (result === 'applied') reply.written();
  else await reply.flush();
}

/**
 * Ends a run that renewed a code. A new code is shown and watched; that none could be made says nothing about the payment,
 * whose older codes may still be paid. A renewal that finds the payment decided has looked it up.
 */
export const completeRenewal: CompleteRun = async (context, executed, lease, outcome) => {
  const { payment, reply } = executed;
  if (outcome.status === 'pending') {
    await completeRun(context, executed, lease, outcome);
    await watch(context, payment.id, outcome.providerReference);
    return undefined;
  }
  await reply.flush();
  if (outcome.status === 'settled' || outcome.status === 'authorized')
    await applyChange(context, payment.id, { change: { kind: 'outcome', outcome, via: 'status' } });
  context.log.warn({ event: 'not-renewed', payment: payment.id, outcome: outcome.status });
  await context.stores.runs.finish(lease, { status: outcome.status });
  return undefined;
};

/** The payment may have been decided while the code was made: the code exists, so the payer may still pay it. */
async function watch(context: RunDeps, paymentId: string, reference: string): Promise<void> {
  const watched = await context.stores.payments.referencesOf(paymentId);
  if (watched.some((each) => each.providerReference === reference)) return;
  await context.stores.payments.watch(paymentId, reference);
}

/** Applies the outcome of a modification on a payment and ends its run in one statement. */
export const completeModification: CompleteRun = async (context, { payment, reply }, lease, outcome) => {
  const run = endOf(lease, outcome, reply);
  const applied = await applyModification(context, lease.runId, { outcome, via: 'flow', run });
  await settleReply(reply, applied);
  if (applied.result === 'applied' || applied.result === 'superseded') return undefined;
  if (applied.result === 'quarantined') {
    context.log.error({ event: 'quarantined', payment: payment.id, modification: lease.runId, why: applied.why });
    // Its amount stays reserved until the outcome is known.
    const unclear = await applyModification(context, lease.runId, { outcome: unknown(applied.why), via: 'flow', run });
    if (unclear.result === 'applied') return undefined;
  }
  await context.stores.runs.finish(lease, { status: outcome.status });
  return undefined;
};
