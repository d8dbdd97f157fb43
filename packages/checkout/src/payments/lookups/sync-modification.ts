import { type LookedUpModification, money, type Outcome, settled } from '@railyard/core';
import type { PendingForHours } from '@railyard/core/driver';
import { isOpenModification, MODIFICATIONS } from '@railyard/core/payment';
import { drive, memoryJournal } from '@railyard/runtime';
import type { LookupDeps } from './deps.ts';
import type { Modification, Payment } from '../../storage/index.ts';
import { applyModification, logAttention } from '../transitions/apply-modification.ts';
import { applyEvent } from './apply-event.ts';
import { sessionOf } from '../transitions/apply.ts';
import { queryPayment } from './sync-payment.ts';
import { asTakenBack } from '../attempt/modification-run.ts';
import { numbersOfPayment } from '../../cards/paid-with.ts';
import { MAX_POLLS, nextPollMs } from '../transitions/poll-plan.ts';
import { accountOf, callLog, followUpRun } from '../attempt/run-of.ts';

/** A modification with its payment's MID, so that a slow provider holds up only its own. */
export interface ModificationPoll {
  readonly modification: Modification;
  readonly payment: Payment;
}

/** Claims modifications whose provider is to be asked now, except for MIDs that are busy. */
export async function takeModificationPolls(
  context: LookupDeps,
  limit: number,
  busy: readonly string[],
): Promise<ModificationPoll[]> {
  const due = await context.stores.modifications.claimDuePolls(limit, 60_000, busy);
  const polls = await Promise.all(
    due.map(async (modification) => ({
      modification,
      payment: await context.stores.payments.find(modification.paymentId),
    })),
  );
  return polls.flatMap(({ modification, payment }) => (payment === undefined ? [] : [{ modification, payment }]));
}

/** Asks the provider about a modification whose outcome is unknown or not final, and applies the answer. */
export async function syncModification(
  context: LookupDeps,
  { modification, payment }: ModificationPoll,
): Promise<void> {
  const { mid, method } = accountOf(context, payment);
  const flows = mid.connector.serves.find((each) => each.method.key === method.key)?.flows;
  if (flows?.modificationStatus !== undefined)
    await applyFound(context, modification, await queryModification(context, payment, modification));
  else if (flows?.status !== undefined) await syncByPayment(context, payment, modification);
  else return waitWithoutLookup(context, modification, flows?.pendingForHours);
  await planNext(context, modification, flows.pendingForHours);
}

/** The payment's own lookup may report events of refunds, or show by the payment what became of a capture, void or release. */
async function syncByPayment(context: LookupDeps, payment: Payment, modification: Modification): Promise<void> {
  const report = await queryPayment(
    context,
    { payment, session: await sessionOf(context, payment) },
    payment.providerReference,
  );
  if (report === undefined) return;
  const { mid } = accountOf(context, payment);
  if ('events' in report) for (const event of report.events) await applyEvent(context, mid, event, 'status');
  else await applyFound(context, modification, shownBy(report, modification));
}

/** A settled hold was captured; a payment that is none any more was voided or released. All else says nothing. */
function shownBy(found: Outcome, { kind, amount, providerReference }: Modification): Outcome | undefined {
  if (kind === 'capture' && found.status === 'settled') return found;
  if ((kind === 'void' || kind === 'release') && found.status === 'declined')
    return settled(providerReference ?? found.providerReference ?? '', money(amount.text, amount.currency));
  return undefined;
}

async function applyFound(
  context: LookupDeps,
  modification: Modification,
  outcome: Outcome | undefined,
): Promise<void> {
  if (outcome === undefined) return;
  const applied = await applyModification(context, modification.id, { outcome, via: 'status' });
  if (applied.result === 'quarantined')
    context.log.error({
      event: 'quarantined',
      payment: modification.paymentId,
      modification: modification.id,
      why: applied.why,
    });
}

async function queryModification(
  context: LookupDeps,
  payment: Payment,
  modification: Modification,
): Promise<Outcome | undefined> {
  const facts = { runId: context.newId(), startedAt: new Date(context.now()) };
  const { id, kind, amount, providerReference } = modification;
  const synced: LookedUpModification = {
    name: kind,
    id,
    amount: money(amount.text, amount.currency),
    ...(providerReference !== null && { providerReference }),
  };
  const session = await sessionOf(context, payment);
  const reference = payment.providerReference;
  const taken = asTakenBack(payment, kind, amount.text);
  const run = followUpRun(context, taken, session, 'modificationStatus', facts, reference, { modification: synced });
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
  if (result.kind === 'failed')
    context.log.error({
      event: 'flow-failed',
      connector: run.connector.id,
      flow: 'modificationStatus',
      payment: payment.id,
      error: result.error.message,
    });
  return undefined;
}

/** Asks again later while it is open; it stays as it is, with what it reserved, when the lookups are used up. */
async function planNext(context: LookupDeps, synced: Modification, declared?: PendingForHours): Promise<void> {
  const modification = await context.stores.modifications.find(synced.id);
  if (modification === undefined || !isOpenModification(modification.state)) return;
  const left = pendingLeft(context, modification, declared);
  const wait = nextPollMs(synced.polls, modification.state === 'unknown', left);
  if (wait === null)
    return giveUp(context, modification, 'the lookups are used up', synced.polls === MAX_POLLS || hasJustEnded(left));
  await context.stores.modifications.schedulePoll(modification.id, wait);
  context.wake('modification-lookups', wait);
}

/** Without a lookup only the provider's notification ends it: an operator is called when that is overdue. */
async function waitWithoutLookup(
  context: LookupDeps,
  modification: Modification,
  declared: PendingForHours | undefined,
): Promise<void> {
  const left = pendingLeft(context, modification, declared);
  if (left === undefined || left <= 0)
    return giveUp(
      context,
      modification,
      'the connector has no lookup for it',
      modification.polls === 1 || hasJustEnded(left),
    );
  await context.stores.modifications.schedulePoll(modification.id, left);
  context.wake('modification-lookups', left);
}

/** Milliseconds for which the provider may yet leave it pending, where the connector declares it. An unknown outcome is not pending. */
function pendingLeft(
  { now }: LookupDeps,
  { kind, state, createdAt }: Modification,
  declared: PendingForHours | undefined,
): number | undefined {
  const hours = state === 'pending' ? declared?.[MODIFICATIONS[kind].flow] : undefined;
  return hours === undefined ? undefined : createdAt.getTime() + hours * HOUR - now();
}

const HOUR = 3_600_000;

/** The lookup that ends the declared time comes right after it. */
const hasJustEnded = (left: number | undefined): boolean => left !== undefined && left <= 0 && left > -HOUR;

/** Reconciliation has it asked again now and then; that is not reported again. */
async function giveUp(
  context: LookupDeps,
  modification: Modification,
  why: string,
  isReported: boolean,
): Promise<void> {
  if (isReported) logAttention(context, modification, why);
  await context.stores.modifications.schedulePoll(modification.id, null);
}
