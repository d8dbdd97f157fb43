import { isTaken } from './database-failure.ts';
import { insertPayment, type StartedPayment, type NewPayment, type PaidByWallet } from './insert-payment.ts';
import type { Db } from './db.ts';
import type { SqlClock } from './sql-clock.ts';

/** A wallet's token that paid before cannot pay again. */
export type TokenUsed = 'token-used';

type WithToken = NewPayment & { readonly wallet: PaidByWallet };

/**
 * Begins an attempt with a wallet's token, see `insertPayment`: in all processes together, one token begins one payment.
 *
 * @returns undefined also for a second press, while the first one's payment may still bring money or has brought it
 */
export async function insertWithToken(
  db: Db,
  clock: SqlClock,
  payment: WithToken,
): Promise<StartedPayment | TokenUsed | undefined> {
  try {
    const started = await insertPayment(db, clock, payment);
    return started ?? (await usedBefore(db, payment))?.answer;
  } catch (error) {
    const used = isTaken(error) ? await usedBefore(db, payment) : undefined;
    if (used !== undefined) return used.answer;
    throw error;
  }
}

/** The answer to a token that was used; `undefined` for one that was not. */
async function usedBefore(
  db: Db,
  { sessionId, wallet }: WithToken,
): Promise<{ readonly answer: TokenUsed | undefined } | undefined> {
  const used = await db
    .selectFrom('walletTokens')
    .innerJoin('payments', 'payments.id', 'walletTokens.paymentId')
    .select('payments.sessionId')
    .where('tokenHash', '=', wallet.tokenHash)
    .executeTakeFirst();
  if (used === undefined) return undefined;
  const isPressedTwice = used.sessionId === sessionId && (await hasLivePayment(db, sessionId));
  return { answer: isPressedTwice ? undefined : 'token-used' };
}

async function hasLivePayment(db: Db, sessionId: string): Promise<boolean> {
  const ofSession = db.selectFrom('payments').select('id').where('sessionId', '=', sessionId);
  const live = ofSession.where('state', 'not in', ['declined', 'expired']).limit(1);
  return (await live.executeTakeFirst()) !== undefined;
}
