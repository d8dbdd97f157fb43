import { declined, money, settled, type LookedUpModification, type Outcome, type StatusReport } from '@railyard/core';
import { drive, memoryJournal, type RetryAfter, type Run } from '@railyard/runtime';
import type { LookupDeps } from './runs/deps.ts';
import { type FlowRun, fromJsonText, type Modification, type Payment, type RunLease } from '../storage/index.ts';
import { applyEvent } from './events.ts';
import { storedNextAction, type KnownWithSession } from './payment.ts';
import { applyChange, sessionOf } from './change/apply.ts';
import { isPaidByAnother } from './change/after.ts';
import type { OpenSession } from '../sessions/session.ts';
import { carryOut, giveBackSecond } from './modify.ts';
import { numbersOfPayment } from '../cards/paid-with.ts';
import { MAX_POLLS, nextPollMs, notBefore, payableEnd, payableUntil } from './change/plan.ts';
import { accountOf, asTakenBack, callLog, followUpRun } from './runs/load.ts';
import { MODIFICATIONS, isOpenModification, type PaymentChange } from '@railyard/core/payment';
import { isWithdrawable, withdraw, withdrawVisit } from './runs/again.ts';
import { LEASE_MS } from './runs/lease.ts';
import type { PendingForHours } from '@railyard/core/driver';
import { applyModification, logAttention } from './change/modification.ts';

/** Claims payments whose provider is to be asked now, except for MIDs that are busy. */
export function takePolls(context: LookupDeps, limit: number, busy: readonly string[]): Promise<Payment[]> {
  return context.stores.payments.claimDuePolls(limit, 60_000, busy);
}

/** Asks the provider what became of a payment and applies the answer. A lookup changes nothing at the provider, so it keeps no journal. */
export async function syncPayment(context: LookupDeps, payment: Payment): Promise<void> {
  if (payment.state === 'partially_approved') return carryOut(context, payment);
  if (await giveBackSecond(context, payment)) return;
  const session = await sessionOf(context, payment);
  if (await endNotNeeded(context, payment, session)) return;
  const { mid } = accountOf(context, payment);
  const served = mid.connector.serves.find((each) => each.method.key === payment.method);
  if (served?.flows.status === undefined)
    return giveUp(context, payment, 'the connector has no status lookup', payment.polls === 1);
  const watched = (await context.stores.payments.referencesOf(payment.id))
    .filter((each) => each.watched)
    .map((each) => each.providerReference);
  const rows = { payment, session };
  let said = 0;
  let waitMs = 0;
  let changed: Payment | undefined;
  let completes = false;
  let incomplete: string | undefined;
  // Without any reference of the provider's only our own can find it.
  for (const reference of watched.length > 0 ? watched : [null]) {
    const { report, retryAfterMs = 0 } = await queryPayment(context, rows, reference);
    waitMs = Math.max(waitMs, retryAfterMs);
    if (report === undefined) {
      incomplete ??= 'The provider did not answer.';
      continue;
    }
    if ('events' in report) {
      incomplete = report.incomplete ?? incomplete;
      if (report.incomplete === undefined) said += 1;
      for (const event of report.events) await applyEvent(context, mid, event, 'status');
    } else {
      if (report.status === 'pending' || report.status === 'declined') said += 1;
      const applied = await applyFound(context, rows, ofReference(report, reference));
      changed = applied?.payment ?? changed;
      completes ||= applied?.closedSession === true;
    }
  }
  await planNext(context, payment, { confirmed: said > 0 && said === watched.length, changed, waitMs, incomplete });
  // The next lookup would do it too, but this one holds its place.
  if (changed !== undefined && !completes) await giveBackSecond(context, changed);
}

/** A decline ends the code that was looked up and not the payment, even if the connector does not name the code. */
const ofReference = (outcome: Outcome, reference: string | null): Outcome =>
  outcome.status !== 'declined' || outcome.providerReference !== undefined || reference === null
    ? outcome
    : { ...outcome, providerReference: reference };

/** @returns the payment as it changed, and whether it completed its session */
async function applyFound(context: LookupDeps, rows: KnownWithSession, outcome: Outcome) {
  const { payment } = rows;
  const until = payableUntil(outcome, payment);
  if (until !== undefined && outcome.providerReference !== undefined)
    await context.stores.payments.setPayableUntil(payment.id, outcome.providerReference, until);
  const applied = await applyChange(context, payment.id, { change: { kind: 'outcome', outcome, via: 'status' } }, rows);
  // Money that is already set aside is not reported again by every lookup.
  if (applied.result === 'quarantined' && payment.asideText === null)
    context.log.error({ event: 'quarantined', payment: payment.id, why: applied.why });
  return applied.result === 'applied' ? applied : undefined;
}

/**
 * Asks again later while the payment is open, or a part of the answer is missing; once the lookups are used up, an unknown outcome or the
 * missing part is reported to the operator.
 *
 * @param found.confirmed the provider has answered about each code, and no money came
 * @param found.changed the payment as the lookup has changed it, whose end has ended the lookups as well
 * @param found.waitMs milliseconds for which the provider asked not to be asked again
 * @param found.incomplete which part the provider did not tell
 */
async function planNext(
  context: LookupDeps,
  synced: Payment,
  {
    confirmed,
    changed,
    waitMs,
    incomplete,
  }: {
    readonly confirmed: boolean;
    readonly changed: Payment | undefined;
    readonly waitMs: number;
    readonly incomplete: string | undefined;
  },
): Promise<void> {
  if (changed?.pollAt === null && incomplete === undefined) return;
  const payment = await context.stores.payments.find(synced.id);
  if (payment === undefined || payment.state === 'partially_approved') return;
  if (payment.state !== 'created' && payment.state !== 'pending')
    return incomplete === undefined
      ? context.stores.payments.endPolls(payment.id, synced.pollAt)
      : askForRest(context, payment, { synced, waitMs, incomplete });
  const end = payableEnd(await context.stores.payments.referencesOf(payment.id));
  const left = end === undefined ? undefined : end - context.now();
  if (confirmed && left !== undefined && left <= 0 && (await hasExpired(context, payment))) return;
  const wait = notBefore(waitMs, nextPollMs(synced.polls, payment.unknown, left));
  if (wait === null) return giveUp(context, payment, 'the lookups are used up', synced.polls === MAX_POLLS);
  await context.stores.payments.schedulePoll(payment.id, wait);
  context.wake('lookups', wait);
}

/** Of an ended payment: the part that the provider did not tell, or all that it did not answer, may be money that went back. */
async function askForRest(
  context: LookupDeps,
  payment: Payment,
  { synced, waitMs, incomplete }: { readonly synced: Payment; readonly waitMs: number; readonly incomplete: string },
): Promise<void> {
  const wait = notBefore(waitMs, nextPollMs(synced.polls, false));
  if (wait === null) {
    const { id, state, unknown } = payment;
    context.log.error({ event: 'needs-attention', payment: id, state, unknown, tries: synced.polls, why: incomplete });
    return context.stores.payments.endPolls(payment.id, synced.pollAt);
  }
  await context.stores.payments.pollAgain(payment.id, synced.pollAt, wait);
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

/** The answer to a lookup; no report where none came. */
interface Queried extends RetryAfter {
  readonly report?: StatusReport;
}

/** Asks with the connector's `status` flow. */
function queryPayment(
  context: LookupDeps,
  { payment, session }: KnownWithSession,
  reference: string | null,
): Promise<Queried> {
  const facts = { runId: context.newId(), startedAt: new Date(context.now()) };
  return query(context, payment, followUpRun(context, payment, session, 'status', facts, reference));
}

async function query(context: LookupDeps, payment: Payment, run: Run): Promise<Queried> {
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
  if (result.kind === 'reported') return { report: result.report };
  if (result.kind === 'failed')
    context.log.error({
      event: 'flow-failed',
      connector: run.connector.id,
      flow: run.flow,
      payment: payment.id,
      error: result.error.message,
    });
  if (result.kind !== 'done' && result.kind !== 'interrupted') return {};
  const { retryAfterMs } = result;
  return {
    ...(result.kind === 'done' && { report: result.outcome }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

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

/**
 * Asks the provider about a modification whose outcome is unknown or not final, and applies the answer. Where it has no lookup of its own, that of
 * the payment may report events of refunds, or show by the payment what became of a capture, void or release.
 */
export async function syncModification(
  context: LookupDeps,
  { modification, payment }: ModificationPoll,
): Promise<void> {
  const { mid, method } = accountOf(context, payment);
  const flows = mid.connector.serves.find((each) => each.method.key === method.key)?.flows;
  if (flows?.modificationStatus === undefined && flows?.status === undefined)
    return waitWithoutLookup(context, modification, flows?.pendingForHours);
  const isOwn = flows.modificationStatus !== undefined;
  const { report, retryAfterMs } = await (isOwn
    ? queryModification(context, payment, modification)
    : queryPayment(context, { payment, session: await sessionOf(context, payment) }, payment.providerReference));
  if (report !== undefined && 'events' in report)
    for (const event of report.events) await applyEvent(context, mid, event, 'status');
  else if (report !== undefined)
    await applyFoundSyncModification(context, modification, isOwn ? report : shownBy(report, modification));
  await planNextSyncModification(context, modification, flows.pendingForHours, retryAfterMs);
}

/** A settled hold was captured; a payment that is none any more was voided or released. All else says nothing. */
function shownBy(found: Outcome, { kind, amount, providerReference }: Modification): Outcome | undefined {
  if (kind === 'capture' && found.status === 'settled') return found;
  if ((kind === 'void' || kind === 'release') && found.status === 'declined')
    return settled(providerReference ?? found.providerReference ?? '', money(amount.text, amount.currency));
  return undefined;
}

async function applyFoundSyncModification(
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

async function queryModification(context: LookupDeps, payment: Payment, modification: Modification): Promise<Queried> {
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
  return query(context, payment, run);
}

/** Looks it up again later while it is open. When the lookups are used up, it keeps its state and its reserved amount. */
async function planNextSyncModification(
  context: LookupDeps,
  synced: Modification,
  declared: PendingForHours | undefined,
  retryAfterMs: number | undefined,
): Promise<void> {
  const modification = await context.stores.modifications.find(synced.id);
  if (modification === undefined || !isOpenModification(modification.state)) return;
  const left = pendingLeft(context, modification, declared);
  const wait = notBefore(retryAfterMs, nextPollMs(synced.polls, modification.state === 'unknown', left));
  if (wait === null)
    return giveUpSyncModification(
      context,
      modification,
      'the lookups are used up',
      synced.polls === MAX_POLLS || hasJustEnded(left),
    );
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
    return giveUpSyncModification(
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
async function giveUpSyncModification(
  context: LookupDeps,
  modification: Modification,
  why: string,
  isReported: boolean,
): Promise<void> {
  if (isReported) logAttention(context, modification, why);
  await context.stores.modifications.schedulePoll(modification.id, null);
}

/** An answer that takes longer is waited for by the page. */
const PATIENCE_MS = 3000;

const isOpen = ({ state }: Payment): boolean => state === 'created' || state === 'pending';

/**
 * Ends an attempt that its payer gives up, where no money can move by it any more: its flow waits for the payer and moves nothing unless it
 * goes on, or the provider, asked now, says that it is over. Everything else stays as it is, because it may still be paid.
 */
export async function turnBack(context: LookupDeps, payment: Payment): Promise<void> {
  if (isOpen(payment)) await askedOnce(context, payment, () => letGo(context, payment));
}

async function letGo(context: LookupDeps, payment: Payment): Promise<void> {
  const runs = await context.stores.runs.ofPayment(payment.id);
  if (await endWaiting(context, payment, runs, stopped)) return;
  // While the request is under way, the provider may truly say that it knows nothing, and take it a moment later.
  if (runs.some(({ state }) => state === 'running')) return;
  await (isWithdrawable(context, payment) ? takeBack(context, payment) : syncPayment(context, payment));
}

/**
 * Has the provider withdraw the payer's code, because the payer pays another way. If it does not, the payment is looked up: the payer may
 * just have paid.
 */
export const withdrawNow = (context: LookupDeps, payment: Payment): Promise<void> =>
  askedOnce(context, payment, () => takeBack(context, payment));

async function takeBack(context: LookupDeps, payment: Payment): Promise<void> {
  await withdraw(context, payment);
  const now = await context.stores.payments.find(payment.id);
  if (now !== undefined && isWithdrawable(context, now)) await syncPayment(context, now);
}

/**
 * Ends an attempt whose session is over while its flow waits for the payer and moves nothing unless it goes on.
 */
export async function endOverdue(context: LookupDeps, payment: Payment, runs: readonly FlowRun[]): Promise<void> {
  if (isOpen(payment)) await endWaiting(context, payment, runs, { kind: 'expiry' });
}

/** The same of a payment whose rows are still to be read. */
export async function endAbandoned(context: LookupDeps, paymentId: string): Promise<void> {
  const payment = await context.stores.payments.find(paymentId);
  if (payment !== undefined) await endOverdue(context, payment, await context.stores.runs.ofPayment(payment.id));
}

/**
 * Ends an attempt whose order another payment has paid meanwhile, where its flow waits for the payer and moves nothing unless it goes on: a
 * payer who comes back would pay twice.
 *
 * @returns whether it has ended so
 */
export async function endNotNeeded(context: LookupDeps, payment: Payment, session: OpenSession): Promise<boolean> {
  if (!isOpen(payment) || !(await isPaidByAnother(context, payment, session))) return false;
  const runs = await context.stores.runs.ofPayment(payment.id);
  if (await endWaiting(context, payment, runs, stopped)) return true;
  // A provider that has not done so a few times is asked how the payment stands instead.
  if (runs.filter(({ purpose }) => purpose === 'withdraw').length < MAX_WITHDRAWALS) await withdraw(context, payment);
  return false;
}

const MAX_WITHDRAWALS = 3;

const stopped: PaymentChange = { kind: 'outcome', outcome: declined('soft', 'stopped_by_payer'), via: 'flow' };

/** Of the payer who turns back and an answer that goes on with the flow, one takes the run. */
async function endWaiting(
  context: LookupDeps,
  payment: Payment,
  runs: readonly FlowRun[],
  change: PaymentChange,
): Promise<boolean> {
  const waiting = runs.find((run) => storedNextAction(context.sealer, run)?.mayTurnBack === true);
  if (waiting === undefined) return false;
  const claimed = await context.stores.runs.claim(waiting.runId, context.owner, LEASE_MS);
  if (claimed === undefined) return false;
  const { lease } = claimed;
  // Before it is pending nothing was made at the provider that could be taken back.
  if (payment.state === 'pending' && (await withdrawVisit(context, payment, lease)))
    return endWithdrawn(context, payment, waiting, lease);
  const run = { lease, next: { state: 'finished', outcome: { status: 'turned-back' } } } as const;
  const applied = await applyChange(context, payment.id, { change, run });
  context.securityCodes.forget(lease.runId);
  if (applied.result === 'unchanged' || applied.result === 'quarantined')
    await context.stores.runs.finish(lease, { status: 'turned-back' });
  return applied.result === 'applied';
}

/** Ends the flow of a payment that was taken back at its provider. Where it was not, the flow waits for its payer again. */
async function endWithdrawn(
  { stores }: LookupDeps,
  payment: Payment,
  { suspendedStep, suspendedText }: FlowRun,
  lease: RunLease,
): Promise<boolean> {
  const now = await stores.payments.find(payment.id);
  if (now !== undefined && isOpen(now) && suspendedStep !== null && suspendedText !== null) {
    await stores.runs.suspend(lease, suspendedStep, fromJsonText(suspendedText));
    return false;
  }
  await stores.runs.finish(lease, { status: 'turned-back' });
  return now?.state === 'declined';
}

/** The calls of the provider for which payers wait, by payment: any number of presses are one at a time. */
const waitedFor = new WeakMap<LookupDeps, Map<string, Promise<void>>>();

async function askedOnce(context: LookupDeps, payment: Payment, ask: () => Promise<void>): Promise<void> {
  const underWay = waitedFor.get(context) ?? new Map<string, Promise<void>>();
  waitedFor.set(context, underWay);
  const asked =
    underWay.get(payment.id) ??
    ask()
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : 'unknown';
        context.log.error({ event: 'work-failed', work: 'turn-back', payment: payment.id, error: why });
      })
      .finally(() => underWay.delete(payment.id));
  underWay.set(payment.id, asked);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([asked, late]);
  clearTimeout(timer);
}
