import type { RunDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { Payment } from '../../storage/index.ts';
import { executeRun } from './execute-run.ts';
import { LEASE_MS } from '../attempt/lease.ts';
import { mayRenew } from './renewable.ts';

/** Begins a new code in place of an expired one. Of any number of clicks at once one begins it. */
export async function renew(context: RunDeps, session: OpenSession, payment: Payment): Promise<void> {
  if (!mayRenew(context, session, payment)) return;
  const runs = await context.stores.runs.ofPayment(payment.id);
  if (runs.some((run) => run.state !== 'finished')) return;
  const started = await context.stores.runs.create({
    runId: context.newId(),
    paymentId: payment.id,
    purpose: 'renew',
    connectorId: payment.connectorId,
    connectorVersion: payment.connectorVersion,
    input: {},
    owner: context.owner,
    leaseMs: LEASE_MS,
  });
  if (started.result === 'renewal-under-way') return;
  // A renewal may have ended since the payment was read. No other begins while this run is there, so what is read now holds.
  const now = await context.stores.payments.find(payment.id);
  if (now === undefined || !mayRenew(context, session, now))
    return context.stores.runs.finish(started.lease, { status: 'not-needed' });
  await executeRun(context, started.run, started.lease);
}
