import { declined, type Outcome, unknown } from '@railyard/core';
import { type Signal, drive, type DriveResult, type Host, type Run, type NextAction } from '@railyard/runtime';
import { sealedAt, sealedJournal, sealJson } from '../../secrets/index.ts';
import type { RunDeps } from './deps.ts';
import { readStoredSession } from '../../sessions/open-session.ts';
import {
  type StartedPayment,
  type FlowRun,
  type PayerPresence,
  LeaseLostError,
  type Payment,
  type RunLease,
  sqlJournal,
} from '../../storage/index.ts';
import { applyChange } from '../transitions/apply.ts';
import { LEASE_MS } from '../attempt/lease.ts';
import { numbersOfPayment } from '../../cards/paid-with.ts';
import { kindOfRun, RUN_KINDS, type RunKind } from './run-kinds.ts';

/** Milliseconds until an interrupted run is executed again, by how often it was tried. */
const RETRY_AFTER_MS = [1000, 3000, 10_000, 30_000, 120_000, 600_000] as const;

export type RunResult =
  | { readonly kind: 'moved' }
  | {
      readonly kind: 'problems';
      readonly nextAction: NextAction;
      readonly problems: readonly { readonly field: string; readonly message: string }[];
    };

/**
 * Drives a leased run as far as it goes and applies what came of it. Never throws for what a provider or a connector does;
 * a run that was taken over by another process is left alone.
 */
export async function executeRun(
  context: RunDeps,
  stored: FlowRun,
  lease: RunLease,
  signal?: Signal,
): Promise<RunResult> {
  try {
    return await context.underWay.during(stored.runId, () => executeLeased(context, stored, lease, signal));
  } catch (error) {
    if (error instanceof LeaseLostError) return { kind: 'moved' };
    throw error;
  }
}

/** Drives a payment that was begun just now. */
export async function executeStarted(context: RunDeps, { lease }: Pick<StartedPayment, 'lease'>): Promise<RunResult> {
  const run = await context.stores.runs.find(lease.runId);
  return run === undefined ? { kind: 'moved' } : executeRun(context, run, lease);
}

/** A leased run under way. */
interface Execution {
  readonly payment: Payment;
  readonly lease: RunLease;
  readonly run: Run;
  readonly kind: RunKind;
  /** How a payer can be reached. */
  readonly presence: PayerPresence;
  /** How often it was executed before. */
  readonly tries: number;
}

async function executeLeased(
  context: RunDeps,
  stored: FlowRun,
  lease: RunLease,
  signal: Signal | undefined,
): Promise<RunResult> {
  const payment = await context.stores.payments.find(stored.paymentId);
  const session = payment?.sessionId == null ? undefined : await context.stores.sessions.find(payment.sessionId);
  if (payment === undefined || session === undefined) throw new Error(`The run ${stored.runId} has no payment.`);
  const kind = RUN_KINDS[kindOfRun(payment, stored)];
  if (await kind.isOvertaken(context, payment, stored)) {
    // A notification or a lookup was faster. What is decided is not sent again.
    await context.stores.runs.finish(lease, { status: 'overtaken' });
    return { kind: 'moved' };
  }
  const open = readStoredSession(context, session);
  const { run, openCard } = await kind.load(context, payment, open, stored);
  // Whatever opens the card recognises its number as well.
  const isCardNumber = openCard === undefined ? await numbersOfPayment(context, payment) : undefined;
  const cards = { ...(openCard && { openCard }), ...(isCardNumber && { isCardNumber }) };
  const result = await executeWithJournal(context, run, lease, signal, cards);
  try {
    const presence = session.payerPresence;
    return await afterExecution(context, { payment, lease, run, kind, presence, tries: stored.tries }, result);
  } finally {
    // A run that is tried again soon may need the code once more; one that ended or waits for the payer has no use for it.
    if (result.kind !== 'interrupted') context.securityCodes.forget(run.id);
  }
}

function executeWithJournal(
  context: RunDeps,
  run: Run,
  lease: RunLease,
  signal: Signal | undefined,
  cards: Pick<Host, 'openCard' | 'isCardNumber'>,
): Promise<DriveResult> {
  const journal = sealedJournal(sqlJournal(context.db, context.sqlClock, lease, LEASE_MS), context.sealer);
  const { breakers, credentials, now, logCall: log } = context;
  return drive(run, { journal, transport: breakers.transport(run.mid), credentials, now, log, ...cards }, signal);
}

async function afterExecution(context: RunDeps, execution: Execution, result: DriveResult): Promise<RunResult> {
  const { payment, lease, run, kind, presence } = execution;
  switch (result.kind) {
    case 'done':
      return ended(context, await kind.complete(context, payment, lease, result.outcome));
    case 'suspended':
      if (kind.mayAskPayer && canBeAsked(presence, result.nextAction)) return suspend(context, payment, lease, result);
      return ended(context, await kind.complete(context, payment, lease, notAsked(presence, result.nextAction)));
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
      await kind.complete(context, payment, lease, outcome);
      return { kind: 'moved' };
    }
    case 'reported':
      throw new Error(`The flow ${run.flow} of ${run.connector.id} answered a report; only status may.`);
  }
}

/** A merchant sends its payer to a page, and has no form for what is to be entered. */
const canBeAsked = (presence: PayerPresence, { kind }: NextAction): boolean =>
  presence === 'page' || (presence === 'merchant' && kind === 'visit');

/** The end of a payment whose payer cannot be asked: it is refused as long as no money has moved. */
const notAsked = (presence: PayerPresence, { mayTurnBack }: NextAction): Outcome =>
  presence === 'merchant' && mayTurnBack
    ? declined('hard', 'not_supported', { reason: NEEDS_ENTRIES })
    : unknown('The connector asks the payer, who is not there.');

const NEEDS_ENTRIES =
  'The payer has to enter something, which a server-to-server command cannot bring. Use the hosted page.';

/** Drives the payment that was begun in place of the ended one, if any. */
async function ended(context: RunDeps, started: StartedPayment | undefined): Promise<RunResult> {
  return started === undefined ? { kind: 'moved' } : executeStarted(context, started);
}

async function suspend(
  context: RunDeps,
  payment: Payment,
  lease: RunLease,
  result: Extract<DriveResult, { kind: 'suspended' }>,
): Promise<RunResult> {
  const { nextAction, problems } = result;
  const asks = sealJson(context.sealer, nextAction, sealedAt.runAsks(lease.runId));
  if (nextAction.kind === 'visit' && payment.providerReference !== nextAction.reference) {
    const outcome: Outcome = { status: 'pending', providerReference: nextAction.reference };
    await applyChange(context, payment.id, {
      change: { kind: 'outcome', outcome, via: 'flow' },
      run: { lease, next: { state: 'suspended', step: nextAction.step, asks } },
      nextAction,
    });
    return { kind: 'moved' };
  }
  await context.stores.runs.suspend(lease, nextAction.step, asks);
  context.changed(payment.id);
  return problems.length === 0 ? { kind: 'moved' } : { kind: 'problems', nextAction, problems };
}

/** No reply yet from a step that may be repeated: the outcome is unknown, so it is tried again, further and further apart. */
async function interrupted(
  context: RunDeps,
  { payment, lease, kind, tries }: Execution,
  { mayHaveMoved, why }: Extract<DriveResult, { kind: 'interrupted' }>,
): Promise<RunResult> {
  context.log.warn({ event: 'interrupted', payment: payment.id, why, tries });
  const blockedMs = context.breakers.waitMs(payment.midId);
  const endsAtOnce = !kind.waitsForAccount && !mayHaveMoved && blockedMs > 0;
  const wait = endsAtOnce ? undefined : RETRY_AFTER_MS[tries];
  if (wait === undefined) {
    const outcome = mayHaveMoved ? unknown(why) : declined('soft', 'provider_unavailable');
    const started = await kind.complete(context, payment, lease, outcome);
    context.securityCodes.forget(lease.runId);
    return ended(context, started);
  }
  await context.stores.runs.renew(lease, LEASE_MS);
  if (mayHaveMoved) await kind.onInterrupted(context, payment, lease.runId, why);
  // In this process, which still has the card's security code in its memory; if it dies, another one takes over.
  context.underWay.keep({ lease, midId: payment.midId }, Math.max(wait, blockedMs));
  return { kind: 'moved' };
}
