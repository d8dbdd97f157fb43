import type { ServiceContext } from '../service-context.ts';
import { NewerRequestError } from '../sessions/stored-request.ts';
import type { ClaimedRun } from '../storage/index.ts';
import { driveRun } from './drive-run.ts';
import { LEASE_MS } from './lease.ts';

/** A run that fails this often for a reason of our own is left to a person. */
const MAX_FAILURES = 20;

/** Claims the runs whose process is gone or whose time to try again has come, except for connectors that are busy. */
export function takeAbandoned(context: ServiceContext, limit: number, busy: readonly string[]): Promise<ClaimedRun[]> {
  return context.stores.runs.claimAbandoned(context.owner, LEASE_MS, limit, busy);
}

/** Drives a run on from where its journal says. */
export async function recoverRun(context: ServiceContext, { run, lease }: ClaimedRun): Promise<void> {
  try {
    await driveRun(context, run, lease);
  } catch (error) {
    // Nothing was sent, and a newer process drives it on: it is left as it is however often it is met.
    if (error instanceof NewerRequestError) {
      context.log.warn({ event: 'newer-request', run: run.runId, payment: run.paymentId, why: error.message });
      return;
    }
    const why = error instanceof Error ? error.message : 'unknown';
    context.log.error({ event: 'recovery-failed', run: run.runId, payment: run.paymentId, error: why });
    if (run.tries < MAX_FAILURES) return;
    context.log.error({ event: 'needs-attention', payment: run.paymentId, why: 'its run cannot be driven on' });
    await context.stores.runs.finish(lease, { status: 'given-up' });
    // An action that is left without a run is asked about.
    await context.stores.actions.schedulePoll(run.runId, 0);
    context.wake('action-lookups');
  }
}
