import * as z from 'zod';
import type { RunDeps } from './deps.ts';
import { NewerRequestError, type OpenSession } from '../../sessions/session.ts';
import type { ClaimedRun, Payment, RunLease, TakenRun } from '../../storage/index.ts';
import type { Signal } from '@railyard/runtime';
import { executeRun, type RunResult } from './execute.ts';
import { CONFIRMATION } from './attempt.ts';
import { LEASE_MS } from './lease.ts';
import { RUN_KINDS, kindOfRun } from './kinds.ts';
import { isWaitingForPayer } from '../payment.ts';

/** A run that fails this often for a reason of our own is left to a person. */
const MAX_FAILURES = 20;
/** A run that the database could not give is asked for again after this. */
const SOON_MS = 1000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');

/**
 * Takes the runs that this process kept to execute them again, whose time has come; then those that no process holds any more. Of accounts
 * that are busy it takes none.
 */
export async function takeAbandoned(context: RunDeps, limit: number, busy: readonly string[]): Promise<TakenRun[]> {
  const { stores, underWay, owner } = context;
  const taken: TakenRun[] = [];
  for (const waiting of underWay.takeDue(limit, busy)) {
    const { midId, lease } = waiting;
    const claimed = await stores.runs.again(lease, LEASE_MS).catch((error: unknown) => {
      // Where the database is away, it waits with its security code.
      underWay.keep(waiting, SOON_MS);
      context.log.warn({ event: 'not-taken-again', run: lease.runId, error: messageOf(error) });
      return undefined;
    });
    if (claimed !== undefined) taken.push({ ...claimed, midId });
  }
  if (taken.length > 0) return taken;
  return stores.runs.claimAbandoned(owner, LEASE_MS, limit, { mids: busy, runs: underWay.ids() });
}

/** Drives a run on from where its journal says. */
export async function recoverRun(context: RunDeps, { run, lease }: ClaimedRun): Promise<void> {
  try {
    await executeRun(context, { run, lease });
  } catch (error) {
    // Nothing was sent, and a newer process executes it on: it is left as it is however often it is met.
    if (error instanceof NewerRequestError) {
      context.log.warn({ event: 'newer-request', run: run.runId, payment: run.paymentId, why: error.message });
      return;
    }
    const why = messageOf(error);
    context.log.error({ event: 'recovery-failed', run: run.runId, payment: run.paymentId, error: why });
    if (run.tries < MAX_FAILURES) return;
    context.log.error({ event: 'needs-attention', payment: run.paymentId, why: 'its run cannot be executed on' });
    await context.stores.runs.finish(lease, { status: 'given-up' });
    const payment = await context.stores.payments.find(run.paymentId);
    if (payment !== undefined) await RUN_KINDS[kindOfRun(payment, run)].onGivenUp(context, run.runId);
  }
}

/** The page offers a new code at the end of its own countdown, which need not agree with our clock to the second. */
const EARLY_MS = 2000;

const timedSchema = z.object({ validUntil: z.string() });

/** The flows of the payment's method at the connector that it was begun with. */
function flowsOf({ directory }: RunDeps, payment: Payment) {
  const connector = directory.mid(payment.midId)?.connector;
  if (connector?.id !== payment.connectorId) return undefined;
  return connector.serves.find((each) => each.method.key === payment.method)?.flows;
}

/** Whether the connector makes new codes for the payment's method. */
export const isRenewable = (context: RunDeps, payment: Payment): boolean =>
  flowsOf(context, payment)?.renew !== undefined;

/** Whether the payment waits for its payer, and the provider can take back what they were given. */
export const isWithdrawable = (context: RunDeps, payment: Payment): boolean =>
  isWaitingForPayer(payment) && flowsOf(context, payment)?.withdraw !== undefined;

/** Whether the payer may have a new code now: in an open session, in place of one whose time is over. */
export function mayRenew(context: RunDeps, { stored }: OpenSession, payment: Payment): boolean {
  const now = context.now();
  if (stored.state !== 'open' || stored.expiresAt.getTime() <= now) return false;
  if (payment.state !== 'pending' || payment.unknown) return false;
  const shown = timedSchema.safeParse(payment.show);
  return shown.success && Date.parse(shown.data.validUntil) <= now + EARLY_MS && isRenewable(context, payment);
}

/** Begins a new code in place of an expired one. */
export const renew = (context: RunDeps, session: OpenSession, payment: Payment): Promise<void> =>
  followUp(context, payment, 'renew', (now) => mayRenew(context, session, now));

/** Takes back at the provider what the payer was given, if it was not paid: the payer goes another way. */
export const withdraw = (context: RunDeps, payment: Payment): Promise<void> =>
  followUp(context, payment, 'withdraw', (now) => isWithdrawable(context, now));

/**
 * Takes back a payment whose payer is at the provider's page, and whose flow is held meanwhile so that it does not go on.
 *
 * @returns whether the provider was asked: the connector has a flow for it
 */
export async function withdrawVisit(context: RunDeps, payment: Payment, held: RunLease): Promise<boolean> {
  if (flowsOf(context, payment)?.withdraw === undefined) return false;
  await followUp(context, payment, 'withdraw', ({ state, unknown }) => state === 'pending' && !unknown, held);
  return true;
}

/** Begins a run beside a payment's operation. Of any number of requests at once one begins it. @param held a run that is held for it */
async function followUp(
  context: RunDeps,
  payment: Payment,
  purpose: 'renew' | 'withdraw',
  may: (payment: Payment) => boolean,
  held?: RunLease,
): Promise<void> {
  if (!may(payment)) return;
  const runs = await context.stores.runs.ofPayment(payment.id);
  if (runs.some((run) => run.state !== 'finished' && run.runId !== held?.runId)) return;
  const started = await context.stores.runs.create({
    runId: context.newId(),
    paymentId: payment.id,
    purpose,
    connectorId: payment.connectorId,
    connectorVersion: payment.connectorVersion,
    input: {},
    owner: context.owner,
    leaseMs: LEASE_MS,
  });
  if (started.result === 'under-way') return;
  // Another may have ended since the payment was read. None begins while this run is there, so the payment that is read now holds.
  const now = await context.stores.payments.find(payment.id);
  if (now === undefined || !may(now)) return context.stores.runs.finish(started.lease, { status: 'not-needed' });
  await executeRun(context, { run: started.run, lease: started.lease });
}

/** Brings a payer's answer to the run of a payment that waits for it. A run that is under way or over takes none, nor does one that waits for its merchant. */
export async function resumeRun(context: RunDeps, payment: Payment, signal: Signal): Promise<RunResult> {
  for (const run of await context.stores.runs.ofPayment(payment.id)) {
    if (run.state !== 'suspended' || run.suspendedStep === CONFIRMATION) continue;
    const claimed = await context.stores.runs.claim(run.runId, context.owner, LEASE_MS);
    if (claimed !== undefined) return executeRun(context, { ...claimed, signal });
  }
  return { kind: 'moved' };
}
