import type { ProviderEvent } from '@railyard/core';
import { eventKey } from '@railyard/core/driver';
import {
  type End,
  isOpenModification,
  MODIFICATION_NAMES,
  MODIFICATIONS,
  type ModificationFlowName,
  type PaymentChange,
} from '@railyard/core/payment';
import { withoutCardsOf } from '../cards/paid-with.ts';
import type { Mid } from '../merchants/directory.ts';
import type { LookupDeps } from './runs/deps.ts';
import { readStoredSession } from '../sessions/session.ts';
import type { FoundPayment, Modification, Payment } from '../storage/index.ts';
import { applyModification } from './change/modification.ts';
import { applyChange, type Applied } from './change/apply.ts';
import type { EventCause } from './change/plan.ts';
import { scheduleSync } from './change/write.ts';
import { resumeRun } from './runs/again.ts';

/** The notification that an event came with. */
export interface KeptNotification {
  readonly id: string;
  /** It says nothing else. */
  readonly isOnly: boolean;
  /** The payment of the event's reference, where it was found when the notification was kept. */
  readonly found?: FoundPayment | undefined;
}

/**
 * Applies one event of a provider to the payment that it belongs to. Known events have no further effect; what fits no payment
 * is kept, because it may be about a payment whose creating call has not been answered yet.
 *
 * @returns `ended` when it was applied and its notification ended with it; `unmatched` when no payment has that reference yet, or it is not yet known which refund of the payment it is about, or whether the money came that went back
 */
export async function applyEvent(
  context: LookupDeps,
  mid: Mid,
  reported: ProviderEvent,
  via: 'notification' | 'status',
  notification?: KeptNotification,
): Promise<'applied' | 'ended' | 'kept' | 'unmatched'> {
  const { payments } = context.stores;
  const notificationId = notification?.id;
  const payment =
    notification?.found?.payment ??
    (await payments.findByProviderReference(mid.connector.id, mid.id, reported.providerReference)) ??
    (reported.merchantReference === undefined
      ? undefined
      : await payments.findByMerchantReference(mid.id, reported.merchantReference));
  if (payment === undefined) return 'unmatched';
  if (reported.kind === 'returned') {
    await resumeRun(context, payment, { reference: reported.providerReference, values: reported.values });
    return 'applied';
  }
  const event = await withoutCardsOf(context, payment, reported);
  const cause = {
    event,
    ...(notification && { notificationId: notification.id, endsNotification: notification.isOnly }),
  };
  const applied =
    event.kind === 'deposit' && event.rejected === true
      ? await takenBack(context, mid, event)
      : await applyTo(context, payment, event, via, cause, notification?.found);
  if (applied === 'not-yet-known') return 'unmatched';
  if (applied.result === 'unchanged')
    await keepAside(context, mid, payment, event, notificationId, 'ignored', applied.why);
  if (applied.result === 'quarantined') {
    await keepAside(context, mid, payment, event, notificationId, 'quarantined', applied.why);
    if (applied.needsSync) await scheduleSync(context, payment.id);
  }
  if (applied.result === 'applied' && notification?.isOnly === true) return 'ended';
  return applied.result === 'applied' || applied.result === 'superseded' ? 'applied' : 'kept';
}

type ReportedEvent = Exclude<ProviderEvent, { kind: 'returned' }>;

/** A deposit that counted was reported to the merchant, so an operator decides about it. A deposit that never counted is ignored. */
async function takenBack(
  { stores }: LookupDeps,
  mid: Mid,
  { rejected: _rejected, ...deposit }: Extract<ReportedEvent, { kind: 'deposit' }>,
): Promise<Applied> {
  const key = eventKey({ ...deposit, confirmed: true });
  const before = await stores.notifications.findEvent(mid.connector.id, mid.id, key);
  return before?.state === 'applied'
    ? { result: 'quarantined', why: 'A deposit that counted was taken back.', needsSync: false }
    : { result: 'unchanged', why: 'A deposit that never counted was rejected.' };
}

/** An event of a modification under way changes the modification; any other changes the payment. */
async function applyTo(
  context: LookupDeps,
  payment: Payment,
  event: ReportedEvent,
  via: 'notification' | 'status',
  cause: EventCause,
  found: FoundPayment | undefined,
): Promise<Applied | 'not-yet-known'> {
  const modification = await modificationOf(context, payment, event);
  if (modification === 'not-yet-known') return modification;
  if (modification !== undefined && 'outcome' in event)
    return applyModification(context, modification.id, { outcome: event.outcome, via, event: cause });
  const change = changeOf(event, via);
  if (change === undefined) {
    // The provider says that there is a refund, and not what became of it.
    if (via === 'notification' && 'outcome' in event && event.outcome.status === 'unknown')
      await scheduleSync(context, payment.id);
    return { result: 'unchanged', why: `No ${event.kind} of ours is known, and none took place.` };
  }
  // Its money is yet to be found: what went back of it counts after that. A lookup tells a dispute together with the money.
  const takesBack = change.kind === 'refund' || (change.kind === 'chargeback' && via === 'notification');
  if (takesBack && mayStillCome(payment)) {
    await scheduleSync(context, payment.id);
    return 'not-yet-known';
  }
  const held = found && { payment: found.payment, session: readStoredSession(context, found.session) };
  const applied = await applyChange(context, payment.id, { change, event: cause }, held);
  // It says that something happened, and not what: also to a payment that is held or paid.
  if (via === 'notification' && change.kind === 'outcome' && change.outcome.status === 'unknown')
    await scheduleSync(context, payment.id);
  return applied;
}

const mayStillCome = ({ state, modifying }: Payment): boolean =>
  state === 'created' || state === 'pending' || modifying === 'capture';

/**
 * The modification that an event is about: the refund with that reference, else the oldest open refund of the amount whose reference
 * is not known yet; and a capture under way where the provider says that the hold was settled. While the request of such a refund is
 * under way its answer may still name it, and the event may be another one's: that is not yet known.
 */
async function modificationOf(
  context: LookupDeps,
  payment: Payment,
  event: ReportedEvent,
): Promise<Modification | 'not-yet-known' | undefined> {
  if (isReport(event)) return wholeModificationOf(context, payment, event);
  const capture = event.kind === 'payment' && event.outcome.status === 'settled' && payment.modifying === 'capture';
  if (!capture && event.kind !== 'refund') return undefined;
  const { outcome } = event;
  const modifications = await context.stores.modifications.ofPayment(payment.id);
  const open = modifications.filter(({ state }) => isOpenModification(state));
  if (capture) return open.find(({ kind }) => kind === 'capture');
  const refunds = modifications.filter(({ kind }) => kind === 'refund');
  const known = refunds.find(({ providerReference }) => providerReference === outcome.providerReference);
  if (known !== undefined) return known;
  const amount = 'amount' in outcome ? outcome.amount : undefined;
  const unnamed = open.filter(({ kind, providerReference }) => kind === 'refund' && providerReference === null);
  // The amount's currency is compared where the modification is decided: another one is set aside there.
  const like = unnamed.filter((each) => amount === undefined || each.amount.minor === amount.minor);
  if ((await context.stores.modifications.running(like.map(({ id }) => id))).size > 0) return 'not-yet-known';
  return amount === undefined && like.length > 1 ? undefined : like[0];
}

/** A provider's report of a modification that is no transaction of its own. */
type ModificationReport = Extract<ReportedEvent, { kind: Exclude<ModificationFlowName, 'refund'> }>;

const isReport = (event: ReportedEvent): event is ModificationReport =>
  event.kind !== 'refund' && MODIFICATION_NAMES.some((name) => MODIFICATIONS[name].flow === event.kind);

/**
 * The modification that an event is about: one under way, else the newest; the one with its reference before any other. One that an
 * event of the payment ended has the payment's reference, and its own is not known.
 */
async function wholeModificationOf(
  context: LookupDeps,
  payment: Payment,
  { kind: wanted, outcome }: ModificationReport,
): Promise<Modification | undefined> {
  const all = await context.stores.modifications.ofPayment(payment.id);
  const like = all.filter(({ kind }) => MODIFICATIONS[kind].flow === wanted).toReversed();
  return (
    like.find(
      ({ providerReference }) => providerReference !== null && providerReference === outcome.providerReference,
    ) ??
    like.find(({ state }) => isOpenModification(state)) ??
    like.find(
      ({ providerReference: its }) =>
        its === null || its === payment.providerReference || outcome.providerReference === undefined,
    )
  );
}

function changeOf(event: ReportedEvent, via: 'notification' | 'status'): PaymentChange | End | undefined {
  switch (event.kind) {
    case 'payment':
      return { kind: 'outcome', outcome: event.outcome, via };
    case 'deposit':
      return {
        kind: 'deposit',
        providerReference: event.providerReference,
        amount: event.amount,
        confirmed: event.confirmed,
        ...(event.enough && { enough: event.enough }),
        via,
      };
    case 'refund':
      return event.outcome.status === 'settled'
        ? { kind: 'refund', providerReference: event.outcome.providerReference, amount: event.outcome.amount, via }
        : undefined;
    case 'capture':
      // The provider captured the whole of a hold by itself.
      return event.outcome.status === 'settled' ? { kind: 'outcome', outcome: event.outcome, via } : undefined;
    case 'void':
      return event.outcome.status === 'settled' ? { kind: 'reversal', amount: event.outcome.amount, via } : undefined;
    case 'chargeback':
      return { kind: 'chargeback', amount: event.amount, ...(event.result && { result: event.result }), via };
    case 'ended':
      return { kind: 'ended', outcome: event.outcome, via };
    case 'hold-expired':
      return { kind: 'hold-expired', via };
    case 'facts':
      return { kind: 'facts', facts: event.facts, via };
    case 'reversal':
      return { kind: 'reversal', amount: event.amount, via };
  }
}

async function keepAside(
  context: LookupDeps,
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
    providerReference: event.providerReference,
    data: { provider: event.provider },
    state,
    reason,
  });
  if (isNew && state === 'quarantined') context.log.error({ event: 'quarantined', payment: payment.id, why: reason });
}
