import { eventKey, type PaymentChange, type ProviderEvent } from '@railyard/core';
import type { Mid } from '../config/directory.ts';
import type { ServiceContext } from '../service-context.ts';
import type { Payment } from '../storage/index.ts';
import { applyChange } from './apply.ts';
import { lookUp } from './look-up.ts';
import { bringBack } from './turns.ts';

/**
 * Applies one event of a provider to the payment that it belongs to. Known events have no further effect; what fits no payment
 * is kept, because it may be about a payment whose creating call has not been answered yet.
 *
 * @returns `unmatched` when no payment has that reference yet
 */
export async function applyEvent(
  context: ServiceContext,
  mid: Mid,
  event: ProviderEvent,
  via: 'notification' | 'status',
  notificationId?: string,
): Promise<'applied' | 'kept' | 'unmatched'> {
  const { payments } = context.stores;
  const payment =
    (await payments.findByReference(mid.connector.id, mid.id, event.reference)) ??
    (event.ours === undefined ? undefined : await payments.findByOurs(mid.id, event.ours));
  if (payment === undefined) return 'unmatched';
  if (event.kind === 'returned') {
    await bringBack(context, payment, { reference: event.reference, values: event.values });
    return 'applied';
  }
  const change = changeOf(event, via);
  if (change === undefined) {
    await keepAside(
      context,
      mid,
      payment,
      event,
      notificationId,
      'quarantined',
      `A ${event.kind} is not handled here.`,
    );
    return 'kept';
  }
  const cause = { event, ...(notificationId !== undefined && { notificationId }) };
  const applied = await applyChange(context, payment.id, { change, event: cause });
  if (applied.result === 'unchanged')
    await keepAside(context, mid, payment, event, notificationId, 'ignored', applied.why);
  if (applied.result === 'quarantined') {
    await keepAside(context, mid, payment, event, notificationId, 'quarantined', applied.why);
    if (applied.lookUp) await lookUp(context, payment);
  }
  return applied.result === 'applied' || applied.result === 'superseded' ? 'applied' : 'kept';
}

function changeOf(event: ProviderEvent, via: 'notification' | 'status'): PaymentChange | undefined {
  if (event.kind === 'payment') return { kind: 'outcome', outcome: event.outcome, via };
  if (event.kind === 'deposit')
    return { kind: 'deposit', reference: event.reference, amount: event.amount, confirmed: event.confirmed, via };
  return undefined;
}

async function keepAside(
  context: ServiceContext,
  mid: Mid,
  payment: Payment,
  event: ProviderEvent,
  notificationId: string | undefined,
  state: 'ignored' | 'quarantined',
  reason: string,
): Promise<void> {
  const isNew = await context.stores.notifications.recordUnapplied({
    connectorId: mid.connector.id,
    midId: mid.id,
    eventId: eventKey(event),
    paymentId: payment.id,
    ...(notificationId !== undefined && { notificationId }),
    kind: event.kind,
    reference: event.reference,
    data: { provider: event.provider },
    state,
    reason,
  });
  if (isNew && state === 'quarantined') context.log.error({ event: 'quarantined', payment: payment.id, why: reason });
}
