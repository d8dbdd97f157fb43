import type { Answer } from '@railyard/runtime';
import type { ServiceContext } from '../service-context.ts';
import type { Payment } from '../storage/index.ts';
import { type Driven, driveRun, LEASE_MS } from './drive-run.ts';

/** Brings an answer to the run of a payment that waits for it. A run that is under way or over takes none. */
export async function bringBack(context: ServiceContext, payment: Payment, answer: Answer): Promise<Driven> {
  for (const run of await context.stores.runs.ofPayment(payment.id)) {
    if (run.state !== 'suspended') continue;
    const claimed = await context.stores.runs.claim(run.runId, context.owner, LEASE_MS);
    if (claimed !== undefined) return driveRun(context, claimed.run, claimed.lease, answer);
  }
  return { kind: 'moved' };
}

/** Begins a new code in place of an expired one, unless one is under way. */
export async function renew(context: ServiceContext, payment: Payment): Promise<void> {
  const runs = await context.stores.runs.ofPayment(payment.id);
  if (payment.state !== 'pending' || runs.some((run) => run.state !== 'finished')) return;
  const claimed = await context.stores.runs.create({
    runId: context.newId(),
    paymentId: payment.id,
    action: 'renew',
    connectorId: payment.connectorId,
    connectorVersion: payment.connectorVersion,
    input: {},
    owner: context.owner,
    leaseMs: LEASE_MS,
  });
  await driveRun(context, claimed.run, claimed.lease);
}

/** Takes up the runs whose process is gone or whose time to try again has come. @returns how many */
export async function recoverRuns(context: ServiceContext, limit: number): Promise<number> {
  const abandoned = await context.stores.runs.claimAbandoned(context.owner, LEASE_MS, limit);
  for (const { run, lease } of abandoned) {
    // What is left is free again when the service next starts.
    if (context.stopping.aborted) break;
    await driveRun(context, run, lease).catch((error: unknown) => {
      context.log.error({
        event: 'recovery-failed',
        run: run.runId,
        error: error instanceof Error ? error.message : 'unknown',
      });
    });
  }
  return abandoned.length;
}
