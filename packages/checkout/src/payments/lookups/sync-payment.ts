import type { Outcome, ProviderEvent } from '@railyard/core';
import { drive, memoryJournal } from '@railyard/runtime';
import type { LookupDeps } from './deps.ts';
import type { Payment } from '../../storage/index.ts';
import { applyEvent } from './apply-event.ts';
import type { PaymentRows } from '../state/held-rows.ts';
import { applyChange, sessionOf } from '../transitions/apply.ts';
import { carryOut, giveBackSecond } from '../operations/give-back.ts';
import { numbersOfPayment } from '../../cards/paid-with.ts';
import { payableEnd, payableUntil } from '../transitions/payable.ts';
import { MAX_POLLS, nextPollMs } from '../transitions/poll-plan.ts';
import { accountOf, callLog, followUpRun } from '../attempt/run-of.ts';

/** Claims payments whose provider is to be asked now, except for MIDs that are busy. */
export function takePolls(context: LookupDeps, limit: number, busy: readonly string[]): Promise<Payment[]> {
  return context.stores.payments.claimDuePolls(limit, 60_000, busy);
}

/** Asks the provider what became of a payment and applies the answer. A lookup changes nothing at the provider, so it keeps no journal. */
export async function syncPayment(context: LookupDeps, payment: Payment): Promise<void> {
  if (payment.state === 'partially_approved') return carryOut(context, payment);
  if (await giveBackSecond(context, payment)) return;
  const { mid } = accountOf(context, payment);
  const served = mid.connector.serves.find((each) => each.method.key === payment.method);
  if (served?.flows.status === undefined)
    return giveUp(context, payment, 'the connector has no status lookup', payment.polls === 1);
  const watched = (await context.stores.payments.referencesOf(payment.id))
    .filter((each) => each.watched)
    .map((each) => each.providerReference);
  const rows = { payment, session: await sessionOf(context, payment) };
  let said = 0;
  let changed: Payment | undefined;
  // Without any reference of the provider's only our own can find it.
  for (const reference of watched.length > 0 ? watched : [null]) {
    const report = await queryPayment(context, rows, reference);
    if (report === undefined) continue;
    if ('events' in report || report.status === 'pending' || report.status === 'declined') said += 1;
    if ('events' in report) for (const event of report.events) await applyEvent(context, mid, event, 'status');
    else changed = (await applyFound(context, rows, ofReference(report, reference))) ?? changed;
  }
  await planNext(context, payment, said > 0 && said === watched.length, changed);
}

/** A decline is that of the code that was asked about, and not of the payment, also where the connector does not name it. */
const ofReference = (outcome: Outcome, reference: string | null): Outcome =>
  outcome.status !== 'declined' || outcome.providerReference !== undefined || reference === null
    ? outcome
    : { ...outcome, providerReference: reference };

/** @returns the payment as it changed */
async function applyFound(context: LookupDeps, rows: PaymentRows, outcome: Outcome): Promise<Payment | undefined> {
  const { payment } = rows;
  const until = payableUntil(outcome, payment);
  if (until !== undefined && outcome.providerReference !== undefined)
    await context.stores.payments.setPayableUntil(payment.id, outcome.providerReference, until);
  const applied = await applyChange(context, payment.id, { change: { kind: 'outcome', outcome, via: 'status' } }, rows);
  // Money that is already set aside is not reported again by every lookup.
  if (applied.result === 'quarantined' && payment.asideText === null)
    context.log.error({ event: 'quarantined', payment: payment.id, why: applied.why });
  return applied.result === 'applied' ? applied.payment : undefined;
}

/**
 * Asks again later while the payment is open; once the lookups are used up, an unknown outcome is reported to the operator.
 *
 * @param confirmed the provider has answered about each code, and no money came
 * @param changed the payment as the lookup has changed it, whose end has ended the lookups as well
 */
async function planNext(
  context: LookupDeps,
  synced: Payment,
  confirmed: boolean,
  changed: Payment | undefined,
): Promise<void> {
  if (changed?.pollAt === null) return;
  const payment = await context.stores.payments.find(synced.id);
  if (payment === undefined || payment.state === 'partially_approved') return;
  if (payment.state !== 'created' && payment.state !== 'pending')
    return context.stores.payments.schedulePoll(payment.id, null);
  const end = payableEnd(await context.stores.payments.referencesOf(payment.id));
  const left = end === undefined ? undefined : end - context.now();
  if (confirmed && left !== undefined && left <= 0 && (await hasExpired(context, payment))) return;
  const wait = nextPollMs(synced.polls, payment.unknown, left);
  if (wait === null) return giveUp(context, payment, 'the lookups are used up', synced.polls === MAX_POLLS);
  await context.stores.payments.schedulePoll(payment.id, wait);
  context.wake('lookups', wait);
}

/**
 * No lookup found the outcome, or it can be paid for ever: the payment stays as it is. An unpaid code is no reason to call an
 * operator; an unknown outcome is. Reconciliation asks again now and then, which is not reported again.
 */
async function giveUp(context: LookupDeps, payment: Payment, why: string, isReported: boolean): Promise<void> {
  if (isReported && (payment.state === 'created' || payment.state === 'pending')) logGivenUp(context, payment, why);
  await context.stores.payments.schedulePoll(payment.id, null);
}

function logGivenUp(context: LookupDeps, payment: Payment, why: string): void {
  context.log[payment.unknown ? 'error' : 'warn']({
    event: payment.unknown ? 'needs-attention' : 'still-open',
    payment: payment.id,
    state: payment.state,
    unknown: payment.unknown,
    tries: payment.polls,
    why,
  });
}

/**
 * Nothing can be paid any more, and the provider has since confirmed that nothing came: where the session is over as well, the
 * attempt expires; money that comes all the same still settles it. A payout does not expire: no payer is late, and a payout
 * reported as declined is paid out again.
 */
async function hasExpired(context: LookupDeps, payment: Payment): Promise<boolean> {
  const session = payment.sessionId === null ? undefined : await context.stores.sessions.find(payment.sessionId);
  if (session === undefined || payment.operation === 'credit' || session.expiresAt.getTime() > context.now())
    return false;
  return (await applyChange(context, payment.id, { change: { kind: 'expiry' } })).result === 'applied';
}

/** Asks with the connector's `status` flow. @returns undefined where no answer came */
export async function queryPayment(
  context: LookupDeps,
  { payment, session }: PaymentRows,
  reference: string | null,
): Promise<Outcome | { readonly events: readonly ProviderEvent[] } | undefined> {
  const facts = { runId: context.newId(), startedAt: new Date(context.now()) };
  const run = followUpRun(context, payment, session, 'status', facts, reference);
  const isCardNumber = await numbersOfPayment(context, payment);
  const result = await drive(run, {
    journal: memoryJournal(),
    transport: context.breakers.transport(run.mid),
    credentials: context.credentials,
    now: context.now,
    log: callLog(context.logCall, payment),
    drift: context.drift,
    ...(isCardNumber && { isCardNumber }),
  });
  if (result.kind === 'done') return result.outcome;
  if (result.kind === 'reported' && 'events' in result.report) return result.report;
  if (result.kind === 'failed')
    context.log.error({
      event: 'flow-failed',
      connector: run.connector.id,
      flow: 'status',
      payment: payment.id,
      error: result.error.message,
    });
  return undefined;
}
