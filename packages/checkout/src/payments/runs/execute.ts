import type { OperationDeps, RunDeps } from './deps.ts';
import { declined, unknown, type Outcome } from '@railyard/core';
import { drive, type DriveResult, hasMoved, type NextAction, type Run, type Signal } from '@railyard/runtime';
import { sealJson, sealedAt } from '../../secrets/index.ts';
import type { OpenSession } from '../../sessions/session.ts';
import {
  LeaseLostError,
  type ExecutableRun,
  type PayerPresence,
  type RunLease,
  type StartedPayment,
} from '../../storage/index.ts';
import type { Known, KnownWithSession } from '../payment.ts';
import { payerSaysAmount, PROVIDER_BUSY } from '../../sessions/payer-input.ts';
import { isPaidByAnother } from '../change/after.ts';
import { applyChange, sessionOf } from '../change/apply.ts';
import { LEASE_MS } from './lease.ts';
import { callLog } from './load.ts';
import { numbersOfPayment } from '../../cards/paid-with.ts';
import { RUN_KINDS, kindOfRun, type Completed, type RunKind } from './kinds.ts';
import { deferredJournal, type ReplyInHand } from './journal.ts';

/**
 * Executes what is stored. It takes place whatever goes wrong here: its run is taken over. After an error the merchant would ask again, and
 * money move twice.
 *
 * @returns undefined after an error
 */
export async function executeStored<T>(
  context: OperationDeps,
  paymentId: string,
  execute: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await execute();
  } catch (error) {
    logUnclear(context, paymentId, error);
    return undefined;
  }
}

export function logUnclear({ log }: OperationDeps, payment: string, error: unknown): void {
  log.error({ event: 'charge-unclear', payment, error: error instanceof Error ? error.message : 'unknown' });
}

/** The last wait, after which a run goes on only where its provider turned it away. */
const LONGEST_PLANNED_MS = 600_000;
/** Milliseconds until an interrupted run is executed again, by how often it was tried. */
const RETRY_AFTER_MS = [1000, 3000, 10_000, 30_000, 120_000, LONGEST_PLANNED_MS] as const;
/** A payer on the page waits for no longer pause than this before they are asked to try again. */
const PATIENCE_MS = 5000;

export type RunResult =
  /** `executed`: the payment, where this process has the row that its change returned. */
  | { readonly kind: 'moved'; readonly executed?: Known }
  | {
      readonly kind: 'problems';
      readonly nextAction: NextAction;
      readonly problems: readonly { readonly field: string; readonly message: string }[];
    };

/** A run to execute, and what is known of it. */
interface Leased {
  readonly run: ExecutableRun;
  readonly lease: RunLease;
  readonly signal?: Signal | undefined;
  /** Of a run that was stored just now: its payment. Its journal is empty. */
  readonly held?: Known;
}

/**
 * Drives a leased run as far as it goes and applies its outcome. A fault of a provider or a connector never throws;
 * a run that was taken over by another process is left alone.
 */
export async function executeRun(context: RunDeps, leased: Leased): Promise<RunResult> {
  try {
    return await context.underWay.during(leased.run.runId, () => executeLeased(context, leased));
  } catch (error) {
    if (error instanceof LeaseLostError) return { kind: 'moved' };
    throw error;
  }
}

/**
 * Drives a payment that was begun just now in this session. The amount that a payer says belongs to the attempt and is not stored with the
 * session, which is then read again.
 *
 * @param first of a later charge
 */
export function executeStarted(
  context: RunDeps,
  { payment, run, lease }: StartedPayment,
  session: OpenSession,
  first?: KnownWithSession,
): Promise<RunResult> {
  const stored = { ...session.stored, attempts: payment.attempt, livePaymentId: payment.id };
  const known = payerSaysAmount(session.request) ? undefined : { ...session, stored };
  return executeRun(context, { run, lease, held: { payment, session: known, first } });
}

/** A leased run under way. */
interface Execution extends KnownWithSession {
  readonly reply: ReplyInHand;
  readonly lease: RunLease;
  readonly run: Run;
  readonly kind: RunKind;
  /** How often it was executed before, and since when. */
  readonly tries: number;
  readonly startedAt: Date;
}

async function executeLeased(context: RunDeps, { run: stored, lease, signal, held }: Leased): Promise<RunResult> {
  const payment = held?.payment ?? (await context.stores.payments.find(stored.paymentId));
  if (payment === undefined) throw new Error(`The run ${stored.runId} has no payment.`);
  const kind = RUN_KINDS[kindOfRun(payment, stored)];
  if (await kind.isOvertaken(context, payment, stored)) {
    // A notification or a lookup was faster. What is decided is not sent again.
    await context.stores.runs.finish(lease, { status: 'overtaken' });
    return { kind: 'moved' };
  }
  const session = held?.session ?? (await sessionOf(context, payment));
  const { run, openCard } = await kind.load(context, { payment, session, first: held?.first }, stored);
  // Whatever opens the card recognises its number as well.
  const isCardNumber = openCard === undefined ? await numbersOfPayment(context, payment, held?.first?.card) : undefined;
  const cards = { ...(openCard && { openCard }), ...(isCardNumber && { isCardNumber }) };
  const { journal, reply } = deferredJournal(context, lease, held !== undefined);
  const log = callLog(context.logCall, payment);
  const { tries, startedAt } = stored;
  const execution = { payment, session, first: held?.first, reply, lease, run, kind, tries, startedAt };
  // A request that was turned away, or never left, is not sent once another payment has paid the order.
  const isOnItsOwn = held !== undefined || !kind.asksToTryAgain || !(await isPaidByAnother(context, payment, session));
  if (!isOnItsOwn && !hasMoved(run, await journal.load(run.id)))
    return ended(
      context,
      session,
      await kind.complete(context, execution, lease, declined('soft', 'stopped_by_payer')),
    );
  const { breakers, credentials, now, drift } = context;
  const transport = breakers.transport(run.mid);
  const result = await drive(run, { transport, credentials, now, drift, journal, log, ...cards }, signal);
  try {
    return await afterExecution(context, execution, result);
  } finally {
    // Where nothing could be applied, the reply is a fact all the same.
    await reply.flush();
    // A run that is tried again soon may need the code once more; one that ended or waits for the payer has no use for it.
    if (result.kind !== 'interrupted') context.securityCodes.forget(run.id);
  }
}

async function afterExecution(context: RunDeps, execution: Execution, result: DriveResult): Promise<RunResult> {
  const { payment, session, lease, run, kind, reply } = execution;
  if (result.kind === 'suspended' || result.kind === 'interrupted') await reply.flush();
  const presence = session.stored.payerPresence;
  switch (result.kind) {
    case 'done': {
      const { outcome, retryAfterMs } = result;
      return ended(context, session, await kind.complete(context, { ...execution, retryAfterMs }, lease, outcome));
    }
    case 'suspended':
      if (kind.mayAskPayer && canBeAsked(presence, result.nextAction)) return suspend(context, execution, result);
      return ended(
        context,
        session,
        await kind.complete(context, execution, lease, ofKind(kind, notAsked(presence, result.nextAction))),
      );
    case 'interrupted':
      return interrupted(context, execution, result);
    case 'failed': {
      context.log.error({
        event: 'flow-failed',
        connector: run.connector.id,
        flow: run.flow,
        payment: payment.id,
        error: result.error.message,
      });
      const outcome = result.mayHaveMoved
        ? unknown('A technical error interrupted the payment.')
        : declined('hard', 'technical_error');
      await kind.complete(context, execution, lease, ofKind(kind, outcome));
      return { kind: 'moved' };
    }
    case 'reported':
      throw new Error(`The flow ${run.flow} of ${run.connector.id} answered a report; only status may.`);
  }
}

/** An end for a reason of our own. It says nothing where a decline would say that the provider has taken something back. */
const ofKind = ({ mayEndDeclined }: RunKind, outcome: Outcome): Outcome =>
  outcome.status === 'declined' && !mayEndDeclined ? unknown(outcome.reason) : outcome;

/** Whether the merchant leads the payer to the address of a redirect. */
const sendsPayerOn = (presence: PayerPresence): boolean => presence === 'merchant' || presence === 'fields';

/** A merchant sends its payer to a page, and has no form for what is to be entered. */
const canBeAsked = (presence: PayerPresence, { kind }: NextAction): boolean =>
  presence === 'page' || (sendsPayerOn(presence) && kind === 'visit');

/** The end of a payment whose payer cannot be asked: it is refused as long as no money has moved. */
const notAsked = (presence: PayerPresence, { mayTurnBack }: NextAction): Outcome =>
  sendsPayerOn(presence) && mayTurnBack
    ? declined('hard', 'not_supported', { reason: NEEDS_ENTRIES })
    : unknown('The connector asks the payer, who is not there.');

const NEEDS_ENTRIES =
  'The payer has to enter something, which neither a server-to-server command nor hosted fields can bring. Use the hosted page.';

/** Drives the payment that was begun in place of the ended one, if any. */
async function ended(context: RunDeps, session: OpenSession, completed: Completed | undefined): Promise<RunResult> {
  if (completed === undefined) return { kind: 'moved' };
  const { payment, started } = completed;
  if (started !== undefined) return executeStarted(context, started, session);
  return { kind: 'moved', executed: { payment, waitsFor: 'nothing' } };
}

async function suspend(
  context: RunDeps,
  execution: Execution,
  { nextAction, problems }: Extract<DriveResult, { kind: 'suspended' }>,
): Promise<RunResult> {
  const { payment, lease } = execution;
  const asks = sealJson(context.sealer, nextAction, sealedAt.runAsks(lease.runId));
  if (nextAction.kind === 'visit' && payment.providerReference !== nextAction.reference) {
    const outcome: Outcome = { status: 'pending', providerReference: nextAction.reference };
    const change = { kind: 'outcome', outcome, via: 'flow' } as const;
    const run = { lease, next: { state: 'suspended', step: nextAction.step, asks } } as const;
    const applied = await applyChange(context, payment.id, { change, run, nextAction }, execution);
    if (applied.result !== 'applied') return { kind: 'moved' };
    return { kind: 'moved', executed: { payment: applied.payment, waitsFor: nextAction } };
  }
  await context.stores.runs.suspend(lease, nextAction.step, asks);
  context.changed(payment.id);
  return problems.length === 0 ? { kind: 'moved' } : { kind: 'problems', nextAction, problems };
}

/**
 * The service executes the run again later, with growing pauses. A request that was sent and has no reply leaves the payment unknown meanwhile.
 * A provider that answers 429 took nothing: the service sends the request again while the run may wait, or asks the payer on the page to try again.
 */
async function interrupted(
  context: RunDeps,
  execution: Execution,
  result: Extract<DriveResult, { kind: 'interrupted' }>,
): Promise<RunResult> {
  const { payment, session, lease, kind, tries } = execution;
  const { mayHaveMoved, why, turnedAway = false, retryAfterMs = 0 } = result;
  context.log.warn({ event: 'interrupted', payment: payment.id, why, tries });
  const blockedMs = context.breakers.waitMs(payment.midId);
  const endsAtOnce = !kind.waitsForAccount && !mayHaveMoved && blockedMs > 0;
  const until = turnedAway ? kind.sendsUntil?.(execution) : undefined;
  const planned = RETRY_AFTER_MS[tries] ?? (until && LONGEST_PLANNED_MS);
  const left = until === undefined ? Infinity : until.getTime() - context.now();
  if (endsAtOnce || planned === undefined || left <= 0) {
    const outcome = mayHaveMoved ? unknown(why) : declined('soft', 'provider_unavailable');
    const completed = await kind.complete(context, execution, lease, ofKind(kind, outcome));
    context.securityCodes.forget(lease.runId);
    return ended(context, session, completed);
  }
  const wait = Math.min(Math.max(planned, blockedMs, retryAfterMs), left);
  if (
    turnedAway &&
    !mayHaveMoved &&
    kind.asksToTryAgain &&
    session.stored.payerPresence === 'page' &&
    wait > PATIENCE_MS
  )
    return suspend(context, execution, { kind: 'suspended', nextAction: tryAgain(mayHaveMoved), problems: [] });
  await context.stores.runs.renew(lease, LEASE_MS);
  if (mayHaveMoved) await kind.onInterrupted(context, payment, lease.runId, why, result.retryAfterMs);
  // In this process, which still has the card's security code in its memory; if it dies, another one takes over.
  context.underWay.keep({ lease, midId: payment.midId }, wait);
  return { kind: 'moved' };
}

/** The payer presses a button. No flow has a step of this name, which holds a colon: the answer is not for it, and the flow goes on. */
const tryAgain = (mayHaveMoved: boolean): NextAction => ({
  kind: 'collect',
  step: 'provider:busy',
  fields: [],
  error: PROVIDER_BUSY,
  resend: false,
  mayTurnBack: !mayHaveMoved,
});
