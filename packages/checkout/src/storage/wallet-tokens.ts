import { beginPayment, type BegunPayment, type NewPayment, type PaidByWallet } from './begin-payment.ts';
import type { Db } from './open-database.ts';
import type { SqlClock } from './sql-clock.ts';

/** A wallet's token that paid before cannot pay again. */
export type TokenUsed = 'token-used';

/** PostgreSQL: Appendix A, unique_violation. */
const UNIQUE_VIOLATION = '23505';

/** Begins an attempt with a wallet's token, see `beginPayment`: in all processes together, one token begins one payment. */
export async function beginWithToken(
  db: Db,
  clock: SqlClock,
  payment: NewPayment & { readonly wallet: PaidByWallet },
): Promise<BegunPayment | TokenUsed | undefined> {
  try {
    const begun = await beginPayment(db, clock, payment);
    return begun === undefined && (await isUsed(db, payment.wallet)) ? 'token-used' : begun;
  } catch (error) {
    if (isViolation(error) && (await isUsed(db, payment.wallet))) return 'token-used';
    throw error;
  }
}

async function isUsed(db: Db, { tokenHash }: PaidByWallet): Promise<boolean> {
  const found = db.selectFrom('walletTokens').select('tokenHash').where('tokenHash', '=', tokenHash);
  return (await found.executeTakeFirst()) !== undefined;
}

const isViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
