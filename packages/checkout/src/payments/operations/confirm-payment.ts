import { callbackWords } from '@railyard/core/payment';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { Payment } from '../../storage/index.ts';
import { CONFIRMATION } from '../attempt/confirmation.ts';
import { LEASE_MS } from '../attempt/lease.ts';
import { executeRun } from '../runs/execute-run.ts';
import type { AnsweredPayment } from '../state/held-rows.ts';
import { kindOf } from '../state/mandate.ts';
import { stateOf } from '../state/payment-state.ts';
import { callbackSources } from '../transitions/apply.ts';
import { callbacksFor } from '../transitions/callbacks-for.ts';
import { executedWithin } from './account-payout.ts';
import type { OperationDeps } from './deps.ts';
import { executeStored } from './execute-stored.ts';
import { type PreparedPayout, storePayout } from './payout.ts';

/**
 * Stores a payment that waits for its merchant's word: nothing is sent before `confirmPayment`. The merchant is called back that it waits.
 *
 * @returns undefined where its session has ended
 */
export async function storeToConfirm(
  context: OperationDeps,
  session: OpenSession,
  { attempt, ...prepared }: PreparedPayout,
  ip: string | undefined,
): Promise<AnsweredPayment | undefined> {
  const stored = await storePayout(context, session, { ...prepared, attempt: { ...attempt, confirmed: 'later' } }, ip);
  if (stored === undefined) return undefined;
  const { payment } = stored;
  await reportWaiting(context, session, payment);
  return { payment };
}

/** Has the merchant called back once that it waits; once it is confirmed or over, not at all. */
export async function reportWaiting(context: OperationDeps, session: OpenSession, payment: Payment): Promise<void> {
  const next = stateOf(payment);
  const sources = await callbackSources(context, { payment, session });
  const words = callbackWords(kindOf(payment), next);
  const callbacks = callbacksFor(context, payment, { ...sources, next, words, before: undefined, outcome: undefined });
  await context.stores.payments.reportStored(payment.id, callbacks);
  context.wake('callbacks');
}

/**
 * Executes a payment that waits for its merchant's word; waits no longer than `commandWaitSeconds`. Of two confirmations one executes it, and one
 * that comes once the session's time is over executes nothing.
 *
 * @returns the payment as its run left it
 */
export async function confirmPayment(
  context: OperationDeps,
  session: OpenSession,
  payment: Payment,
): Promise<AnsweredPayment> {
  if (session.stored.expiresAt.getTime() <= context.now()) return { payment };
  const runs = await context.stores.runs.ofPayment(payment.id);
  const waiting = runs.find(({ suspendedStep }) => suspendedStep === CONFIRMATION);
  const claimed = waiting && (await context.stores.runs.claim(waiting.runId, context.owner, LEASE_MS));
  if (claimed === undefined) return { payment };
  const execute = () => executeStored(context, payment.id, () => executeRun(context, claimed.run, claimed.lease));
  return (await executedWithin(context, session, { payment, execute })) ?? { payment };
}
