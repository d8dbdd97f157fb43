import { type LookedUpAction, money, type Outcome, settled } from '@railyard/core';
import { isOpenAction } from '@railyard/core/payment';
import { drive, memoryJournal } from '@railyard/runtime';
import type { LookupDeps } from './deps.ts';
import type { Action, Payment } from '../../storage/index.ts';
import { applyAction, tellAttention } from '../transitions/apply-action.ts';
import { applyEvent } from './apply-event.ts';
import { sessionOf } from '../transitions/apply.ts';
import { queryPayment } from './sync-payment.ts';
import { asTakenBack } from '../attempt/money-action-run.ts';
import { numbersOfPayment } from '../../cards/paid-with.ts';
import { MAX_POLLS, nextPollMs } from '../transitions/poll-plan.ts';
import { actionRun, placeOf } from '../attempt/run-of.ts';

/** An action with its payment's MID, so that a slow provider holds up only its own. */
export interface ModificationPoll {
  readonly action: Action;
  readonly payment: Payment;
}

/** Claims actions whose provider is to be asked now, except for MIDs that are busy. */
export async function takeModificationPolls(
  context: LookupDeps,
  limit: number,
  busy: readonly string[],
): Promise<ModificationPoll[]> {
  const due = await context.stores.actions.claimDuePolls(limit, 60_000, busy);
  const polls = await Promise.all(
    due.map(async (action) => ({ action, payment: await context.stores.payments.find(action.paymentId) })),
  );
  return polls.flatMap(({ action, payment }) => (payment === undefined ? [] : [{ action, payment }]));
}

/** Asks the provider about an action whose outcome is unknown or not final, and applies the answer. */
export async function syncModification(context: LookupDeps, { action, payment }: ModificationPoll): Promise<void> {
  const { mid, method } = placeOf(context, payment);
  const flows = mid.connector.serves.find((each) => each.method.key === method.key)?.flows;
  if (flows?.actionStatus !== undefined)
    await applyFound(context, action, await queryModification(context, payment, action));
  else if (flows?.status !== undefined) await syncByPayment(context, payment, action);
  else return giveUp(context, action, 'the connector has no lookup for it', action.polls === 1);
  await planNext(context, action);
}

/** The payment's own lookup may tell events of refunds, or show by the payment what became of a capture, void or release. */
async function syncByPayment(context: LookupDeps, payment: Payment, action: Action): Promise<void> {
  const report = await queryPayment(context, payment, payment.providerReference);
  if (report === undefined) return;
  const { mid } = placeOf(context, payment);
  if ('events' in report) for (const event of report.events) await applyEvent(context, mid, event, 'status');
  else await applyFound(context, action, shownBy(report, action));
}

/** A settled hold was captured; a payment that is none any more was voided or released. All else says nothing. */
function shownBy(found: Outcome, { kind, amount, providerReference }: Action): Outcome | undefined {
  if (kind === 'capture' && found.status === 'settled') return found;
  if ((kind === 'void' || kind === 'release') && found.status === 'declined')
    return settled(providerReference ?? found.providerReference ?? '', money(amount.text, amount.currency));
  return undefined;
}

async function applyFound(context: LookupDeps, action: Action, outcome: Outcome | undefined): Promise<void> {
  if (outcome === undefined) return;
  const applied = await applyAction(context, action.id, { outcome, via: 'status' });
  if (applied.result === 'quarantined')
    context.log.error({ event: 'quarantined', payment: action.paymentId, action: action.id, why: applied.why });
}

async function queryModification(context: LookupDeps, payment: Payment, action: Action): Promise<Outcome | undefined> {
  const facts = { runId: context.newId(), startedAt: new Date(context.now()) };
  const { id, kind, amount, providerReference } = action;
  const synced: LookedUpAction = {
    name: kind,
    id,
    amount: money(amount.text, amount.currency),
    ...(providerReference !== null && { providerReference }),
  };
  const session = await sessionOf(context, payment);
  const reference = payment.providerReference;
  const taken = asTakenBack(payment, kind, amount.text);
  const run = actionRun(context, taken, session, 'actionStatus', facts, reference, { action: synced });
  const isCardNumber = await numbersOfPayment(context, payment);
  const result = await drive(run, {
    journal: memoryJournal(),
    transport: context.breakers.transport(run.mid),
    credentials: context.credentials,
    now: context.now,
    log: context.logCall,
    ...(isCardNumber && { isCardNumber }),
  });
  if (result.kind === 'done') return result.outcome;
  if (result.kind === 'failed')
    context.log.error({
      event: 'flow-failed',
      connector: run.connector.id,
      flow: 'actionStatus',
      payment: payment.id,
      error: result.error.message,
    });
  return undefined;
}

/** Asks again later while it is open; it stays as it is, with what it reserved, when the lookups are used up. */
async function planNext(context: LookupDeps, synced: Action): Promise<void> {
  const action = await context.stores.actions.find(synced.id);
  if (action === undefined || !isOpenAction(action.state)) return;
  const wait = nextPollMs(synced.polls, action.state === 'unknown');
  if (wait === null) return giveUp(context, action, 'the lookups are used up', synced.polls === MAX_POLLS);
  await context.stores.actions.schedulePoll(action.id, wait);
  context.wake('action-lookups', wait);
}

/** Reconciliation has it asked again now and then; that is not told again. */
async function giveUp(context: LookupDeps, action: Action, why: string, isReported: boolean): Promise<void> {
  if (isReported) tellAttention(context, action, why);
  await context.stores.actions.schedulePoll(action.id, null);
}
