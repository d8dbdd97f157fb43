import type { RunDeps } from './deps.ts';
import { NewerRequestError } from '../../sessions/stored-request.ts';
import type { ClaimedRun, TakenRun } from '../../storage/index.ts';
import { executeRun } from './execute-run.ts';
import { LEASE_MS } from '../attempt/lease.ts';
import { kindOfRun, RUN_KINDS } from './run-kinds.ts';

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
    await executeRun(context, run, lease);
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
