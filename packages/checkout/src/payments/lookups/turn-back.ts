import { declined } from '@railyard/core';
import type { PaymentChange } from '@railyard/core/payment';
import { storedNextAction } from '../state/stored-views.ts';
import type { LookupDeps } from './deps.ts';
import type { FlowRun, Payment } from '../../storage/index.ts';
import { applyChange } from '../transitions/apply.ts';
import { LEASE_MS } from '../attempt/lease.ts';
import { syncPayment } from './sync-payment.ts';

/** An answer that takes longer is waited for by the page. */
const PATIENCE_MS = 3000;

const isOpen = ({ state }: Payment): boolean => state === 'created' || state === 'pending';

/**
 * Ends an attempt that its payer gives up, where no money can move by it any more: its flow waits for the payer and moves nothing unless it
 * goes on, or the provider, asked now, says that it is over. Everything else stays as it is, because it may still be paid.
 */
export async function turnBack(context: LookupDeps, payment: Payment): Promise<void> {
  if (!isOpen(payment)) return;
  const runs = await context.stores.runs.ofPayment(payment.id);
  if (await endWaiting(context, payment, runs, stopped)) return;
  // While the request is under way, the provider may truly say that it knows nothing, and take it a moment later.
  if (runs.some(({ state }) => state === 'running')) return;
  await syncNow(context, payment);
}

/**
 * Ends an attempt whose session is over while its flow waits for the payer and moves nothing unless it goes on.
 */
export async function endOverdue(context: LookupDeps, payment: Payment, runs: readonly FlowRun[]): Promise<void> {
  if (isOpen(payment)) await endWaiting(context, payment, runs, { kind: 'expiry' });
}

/** The same of a payment whose rows are not in hand. */
export async function endAbandoned(context: LookupDeps, paymentId: string): Promise<void> {
  const payment = await context.stores.payments.find(paymentId);
  if (payment !== undefined) await endOverdue(context, payment, await context.stores.runs.ofPayment(payment.id));
}

const stopped: PaymentChange = { kind: 'outcome', outcome: declined('soft', 'stopped_by_payer'), via: 'flow' };

/** Of the payer who turns back and an answer that goes on with the flow, one takes the run. */
async function endWaiting(
  context: LookupDeps,
  payment: Payment,
  runs: readonly FlowRun[],
  change: PaymentChange,
): Promise<boolean> {
  const waiting = runs.find((run) => storedNextAction(context.sealer, run)?.mayTurnBack === true);
  const claimed = waiting && (await context.stores.runs.claim(waiting.runId, context.owner, LEASE_MS));
  if (claimed === undefined) return false;
  const { lease } = claimed;
  const run = { lease, next: { state: 'finished', outcome: { status: 'turned-back' } } } as const;
  const applied = await applyChange(context, payment.id, { change, run });
  context.securityCodes.forget(lease.runId);
  if (applied.result === 'unchanged' || applied.result === 'quarantined')
    await context.stores.runs.finish(lease, { status: 'turned-back' });
  return applied.result === 'applied';
}

/** Lookups that payers asked for, by payment: any number of presses are one question at a time. */
const syncing = new WeakMap<LookupDeps, Map<string, Promise<void>>>();

async function syncNow(context: LookupDeps, payment: Payment): Promise<void> {
  const underWay = syncing.get(context) ?? new Map<string, Promise<void>>();
  syncing.set(context, underWay);
  const synced =
    underWay.get(payment.id) ??
    syncPayment(context, payment)
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : 'unknown';
        context.log.error({ event: 'work-failed', work: 'turn-back', payment: payment.id, error: why });
      })
      .finally(() => underWay.delete(payment.id));
  underWay.set(payment.id, synced);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([synced, late]);
  clearTimeout(timer);
}
