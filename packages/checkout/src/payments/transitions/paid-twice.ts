import type { TransitionDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { Payment, TransitionResult } from '../../storage/index.ts';

const hasMoney = ({ state }: Pick<Payment, 'state'>): boolean => state === 'settled' || state === 'authorized';

/** The payment that completed the session of `payment` before it, and still has its money. The database serializes which was first. */
export async function paidBefore(
  { stores }: Pick<TransitionDeps, 'stores'>,
  { id, sessionId, state }: Payment,
): Promise<Payment | undefined> {
  if (sessionId === null || !hasMoney({ state })) return undefined;
  const paidBy = (await stores.sessions.find(sessionId))?.paidPaymentId ?? undefined;
  const first = paidBy === undefined || paidBy === id ? undefined : await stores.payments.find(paidBy);
  return first !== undefined && hasMoney(first) ? first : undefined;
}

/** Whether another payment has completed the session. An attempt of one that is paid ends without a word to the merchant, who would take it for the order's end. */
export async function isPaidByAnother(
  { stores }: Pick<TransitionDeps, 'stores'>,
  { id, attempt }: Pick<Payment, 'id' | 'attempt'>,
  { stored }: OpenSession,
): Promise<boolean> {
  if (attempt < 2 && stored.attempts < 2) return false;
  // A run has its session as it was when it began.
  const paidBy = (await stores.sessions.find(stored.id))?.paidPaymentId ?? null;
  return paidBy !== null && paidBy !== id;
}

/**
 * Looks whether money has come twice: a payer paid by two codes, or a provider was paid after its decline. The work for lookups then gives
 * back what came second. After a crash reconciliation finds it.
 */
export async function followIfPaidTwice(
  context: TransitionDeps,
  before: Payment,
  { payment, closedSession }: Extract<TransitionResult, { result: 'applied' }>,
): Promise<void> {
  if (closedSession || hasMoney(before) || !hasMoney(payment)) return;
  const first = await paidBefore(context, payment);
  if (first === undefined) return;
  context.log.warn({ event: 'paid-twice', payment: payment.id, why: `The payment ${first.id} completed its session.` });
  await context.stores.payments.schedulePoll(payment.id, 0);
  context.wake('lookups');
}
