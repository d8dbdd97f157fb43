import type { Signal } from '@railyard/runtime';
import type { RunDeps } from './deps.ts';
import type { Payment } from '../../storage/index.ts';
import { type RunResult, executeRun } from './execute-run.ts';
import { CONFIRMATION } from '../attempt/confirmation.ts';
import { LEASE_MS } from '../attempt/lease.ts';

/** Brings a payer's answer to the run of a payment that waits for it. A run that is under way or over takes none, nor does one that waits for its merchant. */
export async function resumeRun(context: RunDeps, payment: Payment, signal: Signal): Promise<RunResult> {
  for (const run of await context.stores.runs.ofPayment(payment.id)) {
    if (run.state !== 'suspended' || run.suspendedStep === CONFIRMATION) continue;
    const claimed = await context.stores.runs.claim(run.runId, context.owner, LEASE_MS);
    if (claimed !== undefined) return executeRun(context, claimed.run, claimed.lease, signal);
  }
  return { kind: 'moved' };
}
