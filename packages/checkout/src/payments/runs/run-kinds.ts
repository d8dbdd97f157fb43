import { type Outcome, unknown } from '@railyard/core';
import { isOpenModification } from '@railyard/core/payment';
import type { Host, Run } from '@railyard/runtime';
import type { RunDeps } from './deps.ts';
import type { ExecutableRun, FlowRun, Payment } from '../../storage/index.ts';
import type { PaymentRows } from '../state/held-rows.ts';
import { applyModification } from '../transitions/apply-modification.ts';
import { applyChange } from '../transitions/apply.ts';
import { mandateChargeRun } from '../attempt/mandate-charge-run.ts';
import {
  type CompleteRun,
  completeOperation,
  completeModification,
  completeMandateCharge,
  completeRenewal,
} from './complete-run.ts';
import { modificationRun } from '../attempt/modification-run.ts';
import { cardsOfPayment, walletOpener } from '../../cards/paid-with.ts';
import { followUpRun, operationRun } from '../attempt/run-of.ts';

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
  load(context: RunDeps, rows: PaymentRows, stored: ExecutableRun): Promise<LoadedRun>;
  /** Whether its flow may ask the payer, if one is there. */
  readonly mayAskPayer: boolean;
  /** Where its account is not called for a while and nothing was sent: whether it waits, or ends at once. */
  readonly waitsForAccount: boolean;
  /** A call that may have moved money had no reply, and is tried again: until then its outcome is unknown. */
  onInterrupted(context: RunDeps, payment: Payment, runId: string, why: string): Promise<void>;
  /** Applies how it ended. */
  readonly complete: CompleteRun;
  /** It ended without an outcome, for a reason of our own. */
  onGivenUp(context: RunDeps, runId: string): Promise<void>;
}

/**
 * `operation`: a payment's own operation. `mandateCharge`: a later charge, on an agreement of the payer's with the merchant.
 * `modification`: a capture, void, release or refund of a payment. `renewal`: a new code in place of one whose time is over.
 */
type RunKindName = 'operation' | 'mandateCharge' | 'modification' | 'renewal';

/** The kind of a stored run, which it keeps. */
export function kindOfRun(
  { operation, mandateId }: Pick<Payment, 'operation' | 'mandateId'>,
  { purpose }: Pick<FlowRun, 'purpose'>,
): RunKindName {
  if (purpose === operation) return mandateId === null ? 'operation' : 'mandateCharge';
  return purpose === 'renew' ? 'renewal' : 'modification';
}

/** The parts that an operation and a later charge have in common: both decide their payment. */
const DECIDES_PAYMENT = {
  isOvertaken: async (_context, { state }) => state !== 'created' && state !== 'pending',
  // A payer does not wait for an account that is not called: another account is asked, or the payer is notified.
  waitsForAccount: false,
  async onInterrupted(context, payment, _runId, why) {
    if (payment.unknown) return;
    const outcome: Outcome = unknown(why);
    await applyChange(context, payment.id, { change: { kind: 'outcome', outcome, via: 'flow' } });
  },
  // Lookups ask about the payment.
  onGivenUp: async () => {},
} as const satisfies Partial<RunKind>;

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
    complete: completeOperation,
  },
  mandateCharge: {
    ...DECIDES_PAYMENT,
    // The card of the first payment is not opened again.
    load: async (...of) => ({ run: await mandateChargeRun(...of) }),
    mayAskPayer: false,
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
    waitsForAccount: true,
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
    waitsForAccount: true,
    // It says nothing about the payment, whose older codes may still be paid.
    onInterrupted: async () => {},
    complete: completeRenewal,
    onGivenUp: async () => {},
  },
};
