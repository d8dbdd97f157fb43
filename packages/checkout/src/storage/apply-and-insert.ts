import { applyTransition } from './apply-transition.ts';
import { insertPayment, type NewPayment } from './insert-payment.ts';
import type { Db } from './db.ts';
import type { SqlClock } from './sql-clock.ts';
import type { Transition, TransitionResult } from './transition.ts';

class NotInsertedError extends Error {
  override readonly name = 'NotBegunError';
}

/**
 * Changes a payment and begins the one that takes its place, in one transaction: a reader sees the first under way or the
 * second, and a crash leaves both changes or none. See `applyTransition` and `insertPayment`.
 */
export async function applyAndInsert(
  db: Db,
  clock: SqlClock,
  transition: Transition,
  failover: NewPayment,
): Promise<TransitionResult> {
  try {
    return await db.transaction().execute(async (trx) => {
      const applied = await applyTransition(trx, clock, transition);
      if (applied.result !== 'applied') return applied;
      const started = await insertPayment(trx, clock, failover);
      if (started === undefined) throw new NotInsertedError();
      return { ...applied, started };
    });
  } catch (error) {
    if (error instanceof NotInsertedError) return { result: 'not-inserted' };
    throw error;
  }
}
