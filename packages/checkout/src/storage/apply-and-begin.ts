import { applyTransition, type Transition, type TransitionResult } from './apply-transition.ts';
import { beginPayment, type NewPayment } from './begin-payment.ts';
import type { Db } from './db.ts';
import type { SqlClock } from './sql-clock.ts';

class NotBegunError extends Error {
  override readonly name = 'NotBegunError';
}

/**
 * Changes a payment and begins the one that takes its place, in one transaction: a reader sees the first under way or the
 * second, and a crash leaves both changes or none. See `applyTransition` and `beginPayment`.
 */
export async function applyAndBegin(
  db: Db,
  clock: SqlClock,
  transition: Transition,
  begins: NewPayment,
): Promise<TransitionResult> {
  try {
    return await db.transaction().execute(async (trx) => {
      const applied = await applyTransition(trx, clock, transition);
      if (applied.result !== 'applied') return applied;
      const begun = await beginPayment(trx, clock, begins);
      if (begun === undefined) throw new NotBegunError();
      return { ...applied, begun };
    });
  } catch (error) {
    if (error instanceof NotBegunError) return { result: 'not-begun' };
    throw error;
  }
}
