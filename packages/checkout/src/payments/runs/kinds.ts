import { declined, unknown, type Outcome } from '@railyard/core';
import { isOpenModification } from '@railyard/core/payment';
import type { Host, Run } from '@railyard/runtime';
import type { RunDeps } from './deps.ts';
import type {
  ExecutableRun,
  FlowRun,
  NewPayment,
  Payment,
  RunLease,
  StartedPayment,
  Transition,
} from '../../storage/index.ts';
import type { KnownWithSession } from '../payment.ts';
import { applyModification } from '../change/modification.ts';
import type { NotBefore } from '../change/plan.ts';
import { applyChange, type Applied } from '../change/apply.ts';
import { followUpRun, mandateChargeRun, modificationRun, operationRun } from './load.ts';
import { cardsOfPayment, walletOpener } from '../../cards/paid-with.ts';
import type { ReplyInHand } from './journal.ts';
import { planFailover } from './failover.ts';
import { scheduleSync } from '../change/write.ts';

/** The rows of a run that was executed, and its reply that is not written yet. */
interface Executed extends KnownWithSession, NotBefore {
  readonly reply: ReplyInHand;
}

/** The row that the change of the payment returned, and the payment that was begun in its place and is to be executed. */
export interface Completed {
  readonly payment: Payment;
  readonly started?: StartedPayment;
}

/** Applies the end of a run. @returns undefined where the change returned no row */
export type CompleteRun = (
  context: RunDeps,
  executed: Executed,
  lease: RunLease,
  outcome: Outcome,
) => Promise<Completed | undefined>;

/** Applies the outcome of a payment's operation and ends its run; with a soft decline the next account may be asked. */
export const completeOperation: CompleteRun = async (context, executed, lease, outcome) => {
  const failover = await planFailover(context, executed, lease, outcome);
  const completed = await completeRun(context, executed, lease, outcome, failover);
  if (failover !== undefined && completed?.started === undefined) context.securityCodes.forget(failover.run.runId);
  return completed;
};

/** The same for a later charge of a mandate, which stays with the account of the mandate. */
export const completeMandateCharge: CompleteRun = (context, executed, lease, outcome) =>
  completeRun(context, executed, lease, outcome);

async function completeRun(
  context: RunDeps,
  executed: Executed,
  lease: RunLease,
  outcome: Outcome,
  failover?: NewPayment,
): Promise<Completed | undefined> {
  const { payment, reply, retryAfterMs } = executed;
  const change = { kind: 'outcome', outcome, via: 'flow' } as const;
  const cause = { change, run: endOf(lease, outcome, reply), retryAfterMs, ...(failover && { failover }) };
  const applied = await applyChange(context, payment.id, cause, executed);
  await settleReply(reply, applied);
  if (applied.result === 'applied') return applied;
  if (applied.result === 'superseded') return undefined;
  // A notification was faster, or the outcome does not fit: the run ends, and where it contradicts what is known the provider is asked.
  await context.stores.runs.finish(lease, { status: outcome.status });
  if (applied.result !== 'quarantined') return undefined;
  context.log.error({ event: 'quarantined', payment: payment.id, why: applied.why });
  if (applied.needsSync) await scheduleSync(context, payment.id);
  return undefined;
}

/** The end of a run, with the reply that led to it. */
const endOf = (lease: RunLease, { status }: Outcome, reply: ReplyInHand): NonNullable<Transition['run']> => ({
  lease,
  next: { state: 'finished', outcome: { status } },
  reply: reply.current(),
});

/** A reply is a fact, also where nothing changed because of it. */
async function settleReply(reply: ReplyInHand, { result }: Pick<Applied, 'result'>): Promise<void> {
  if (result === 'applied') reply.written();
  else await reply.flush();
}

/**
 * Ends a run that renewed a code. A new code is shown and watched; that none could be made says nothing about the payment,
 * whose older codes may still be paid. A renewal that finds the payment decided has looked it up.
 */
export const completeRenewal: CompleteRun = async (context, executed, lease, outcome) => {
  const { payment, reply } = executed;
  if (outcome.status === 'pending') {
    await completeRun(context, executed, lease, outcome);
    await watch(context, payment.id, outcome.providerReference);
    return undefined;
  }
  await reply.flush();
  if (outcome.status === 'settled' || outcome.status === 'authorized')
    await applyChange(context, payment.id, { change: { kind: 'outcome', outcome, via: 'status' } });
  context.log.warn({ event: 'not-renewed', payment: payment.id, outcome: outcome.status });
  await context.stores.runs.finish(lease, { status: outcome.status });
  return undefined;
};

/**
 * Ends a run that took back what the payer was given. The payment is over once the provider has done so; it is paid where the payer was
 * faster. Everything else says nothing: what the payer was given may still be paid, and the provider is asked.
 */
export const completeWithdrawal: CompleteRun = async (context, { payment, reply }, lease, said) => {
  await reply.flush();
  const { provider } = said;
  const outcome: Outcome =
    said.status === 'declined'
      ? declined('soft', 'stopped_by_payer', {
          providerReference: said.providerReference ?? payment.providerReference ?? '',
          ...(provider && { provider }),
        })
      : said;
  const isWord = outcome.status === 'declined' || outcome.status === 'settled' || outcome.status === 'authorized';
  const change = { kind: 'outcome', outcome, via: 'status' } as const;
  const applied = isWord ? await applyChange(context, payment.id, { change }) : undefined;
  if (applied?.result === 'quarantined')
    context.log.error({ event: 'quarantined', payment: payment.id, why: applied.why });
  if (applied?.result !== 'applied') {
    context.log.warn({ event: 'not-withdrawn', payment: payment.id, outcome: outcome.status });
    await scheduleSync(context, payment.id);
  }
  await context.stores.runs.finish(lease, { status: outcome.status });
  return undefined;
};

/** The payment may have been decided while the code was made: the code exists, so the payer may still pay it. */
async function watch(context: RunDeps, paymentId: string, reference: string): Promise<void> {
  const watched = await context.stores.payments.referencesOf(paymentId);
  if (watched.some((each) => each.providerReference === reference)) return;
  await context.stores.payments.watch(paymentId, reference);
}

/** Applies the outcome of a modification on a payment and ends its run in one statement. */
export const completeModification: CompleteRun = async (context, { payment, reply, retryAfterMs }, lease, outcome) => {
  const run = endOf(lease, outcome, reply);
  const applied = await applyModification(context, lease.runId, { outcome, via: 'flow', run, retryAfterMs });
  await settleReply(reply, applied);
  if (applied.result === 'applied' || applied.result === 'superseded') return undefined;
  if (applied.result === 'quarantined') {
    context.log.error({ event: 'quarantined', payment: payment.id, modification: lease.runId, why: applied.why });
    // Its amount stays reserved until the outcome is known.
    const unclear = await applyModification(context, lease.runId, { outcome: unknown(applied.why), via: 'flow', run });
    if (unclear.result === 'applied') return undefined;
  }
  await context.stores.runs.finish(lease, { status: outcome.status });
  return undefined;
};

/** A stored run as the runtime executes it. */
interface LoadedRun {
  readonly run: Run;
  /** Opens the payer's card. */
  readonly openCard?: Host['openCard'];
}

/** How runs of one kind are executed. */
export interface RunKind {
  /** Whether what the run is to bring about is decided, by a notification or a lookup: it is not executed any more. */
  isOvertaken(context: RunDeps, payment: Payment, stored: ExecutableRun): Promise<boolean>;
  load(context: RunDeps, rows: KnownWithSession, stored: ExecutableRun): Promise<LoadedRun>;
  /** Whether its flow may ask the payer, if one is there. */
  readonly mayAskPayer: boolean;
  /** Where its account is not called for a while and nothing was sent: whether it waits, or ends at once. */
  readonly waitsForAccount: boolean;
  /** Whether it is declined where it ends for a reason of our own and nothing was sent. */
  readonly mayEndDeclined: boolean;
  /** A call that may have moved money had no reply, and is tried again: until then its outcome is unknown. */
  onInterrupted(
    context: RunDeps,
    payment: Payment,
    runId: string,
    why: string,
    retryAfterMs: number | undefined,
  ): Promise<void>;
  /** Until when the service sends a request again that was answered 429. Default: as many times as one that did not leave. */
  sendsUntil?(rows: KnownWithSession & { readonly startedAt: Date }): Date;
  /** Whether a payer on the page is asked to have it sent again. */
  readonly asksToTryAgain: boolean;
  /** Applies how it ended. */
  readonly complete: CompleteRun;
  /** It ended without an outcome, for a reason of our own. */
  onGivenUp(context: RunDeps, runId: string): Promise<void>;
}

/**
 * `operation`: a payment's own operation. `mandateCharge`: a later charge, on an agreement of the payer's with the merchant.
 * `modification`: a capture, void, release or refund of a payment. `renewal`: a new code in place of one whose time is over.
 * `withdrawal`: the provider takes back what the payer was given.
 */
type RunKindName = 'operation' | 'mandateCharge' | 'modification' | 'renewal' | 'withdrawal';

/** The kind of a stored run, which it keeps. */
export function kindOfRun(
  { operation, mandateId }: Pick<Payment, 'operation' | 'mandateId'>,
  { purpose }: Pick<FlowRun, 'purpose'>,
): RunKindName {
  if (purpose === operation) return mandateId === null ? 'operation' : 'mandateCharge';
  if (purpose === 'renew') return 'renewal';
  return purpose === 'withdraw' ? 'withdrawal' : 'modification';
}

/** The parts that an operation and a later charge have in common: both decide their payment. */
const DECIDES_PAYMENT = {
  isOvertaken: async (_context, { state }) => state !== 'created' && state !== 'pending',
  // A payer does not wait for an account that is not called: another account is asked, or the payer is notified.
  waitsForAccount: false,
  mayEndDeclined: true,
  async onInterrupted(context, payment, _runId, why, retryAfterMs) {
    if (payment.unknown) return;
    const outcome: Outcome = unknown(why);
    await applyChange(context, payment.id, { change: { kind: 'outcome', outcome, via: 'flow' }, retryAfterMs });
  },
  sendsUntil: ({ session }) => session.stored.expiresAt,
  // Lookups ask about the payment.
  onGivenUp: async () => {},
} as const satisfies Partial<RunKind>;

/** A merchant's request is sent again for a day. */
const MODIFICATION_WAITS_MS = 86_400_000;

export const RUN_KINDS: Readonly<Record<RunKindName, RunKind>> = {
  operation: {
    ...DECIDES_PAYMENT,
    async load(context, { payment, session }, stored) {
      const cards = await cardsOfPayment(context, payment, stored.runId);
      const run = operationRun(context, payment, session, stored, cards);
      if (cards !== undefined) return { run, openCard: cards.openCard };
      return payment.digitalWallet === null ? { run } : { run, openCard: walletOpener(context, stored.runId) };
    },
    mayAskPayer: true,
    asksToTryAgain: true,
    complete: completeOperation,
  },
  mandateCharge: {
    ...DECIDES_PAYMENT,
    // The card of the first payment is not opened again.
    load: async (...of) => ({ run: await mandateChargeRun(...of) }),
    mayAskPayer: false,
    asksToTryAgain: false,
    complete: completeMandateCharge,
  },
  modification: {
    async isOvertaken({ stores }, _payment, { runId }) {
      const modification = await stores.modifications.find(runId);
      return modification !== undefined && !isOpenModification(modification.state);
    },
    load: async (context, { payment, session }, stored) => ({
      run: modificationRun(context, payment, session, stored),
    }),
    mayAskPayer: false,
    asksToTryAgain: false,
    waitsForAccount: true,
    mayEndDeclined: true,
    sendsUntil: ({ startedAt }) => new Date(startedAt.getTime() + MODIFICATION_WAITS_MS),
    async onInterrupted(context, _payment, runId, why) {
      await applyModification(context, runId, { outcome: unknown(why), via: 'flow' });
    },
    complete: completeModification,
    // It is asked about without a run.
    async onGivenUp({ stores, wake }, runId) {
      await stores.modifications.schedulePoll(runId, 0);
      wake('modification-lookups');
    },
  },
  renewal: {
    isOvertaken: async () => false,
    load: async (context, { payment, session }, stored) => ({
      run: followUpRun(context, payment, session, 'renew', stored),
    }),
    mayAskPayer: true,
    // The code that was shown before may still be paid.
    asksToTryAgain: false,
    waitsForAccount: true,
    mayEndDeclined: false,
    // It says nothing about the payment, whose older codes may still be paid.
    onInterrupted: async () => {},
    complete: completeRenewal,
    onGivenUp: async () => {},
  },
  withdrawal: {
    // A payment that is decided has nothing to take back.
    isOvertaken: DECIDES_PAYMENT.isOvertaken,
    load: async (context, { payment, session }, stored) => ({
      run: followUpRun(context, payment, session, 'withdraw', stored),
    }),
    mayAskPayer: false,
    asksToTryAgain: false,
    waitsForAccount: true,
    mayEndDeclined: false,
    // The payer may still pay; the payment's own lookups go on.
    onInterrupted: async () => {},
    complete: completeWithdrawal,
    onGivenUp: async () => {},
  },
};
