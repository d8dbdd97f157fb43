import type { Db, SqlClock } from './database/sql.ts';
import { executeTogether, type ManyRows } from './database/many-rows.ts';
import {
  resultOf,
  transitionStatement,
  type AppliedRow,
  type Transition,
  type TransitionResult,
} from './transition-statement.ts';
import { insertPayment, type NewPayment } from './insert-payment.ts';

/**
 * Changes a payment: its row, one row of its history, its references, its callbacks, the provider's event or the run that caused the change,
 * and its session. One statement: all of it, or nothing.
 *
 * @throws the database's error if a sum would become impossible, or if a reference belongs to another payment
 */
export async function applyTransition(db: Db, clock: SqlClock, transition: Transition): Promise<TransitionResult> {
  const statement = transitionStatement(clock, transition, false);
  const [found] = await executeTogether(db, [statement]);
  return found === undefined ? { result: 'stale' } : resultOf(found, transition);
}

/** Whether others can be written with it: what it changes is found by its payment alone. */
export const goesWithOthers = ({ failover, schedule, modification, newModification }: Transition): boolean =>
  failover === undefined && schedule === undefined && modification === undefined && newModification === undefined;

/** A transition that is to be applied with others. */
export interface Applicable {
  readonly transition: Transition;
  readonly statement: ManyRows<AppliedRow>;
}

export function applicable(clock: SqlClock, transition: Transition): Applicable {
  return { transition, statement: transitionStatement(clock, transition, true) };
}

/**
 * Changes several payments in one statement. A payment that is locked just now is left out, and so is one whose run or session is.
 *
 * @param alike each of another payment
 * @returns the results by payment; where there is none, at most the reply of a run was written: the transition is to be applied by itself
 */
export async function applyTogether(
  db: Db,
  alike: readonly Applicable[],
): Promise<ReadonlyMap<string, TransitionResult>> {
  const byId = new Map(alike.map(({ transition }) => [transition.paymentId, transition]));
  const applied = await executeTogether(
    db,
    alike.map(({ statement }) => statement),
  );
  const results = new Map<string, TransitionResult>();
  for (const row of applied) {
    const transition = byId.get(row.ofPayment);
    if (transition !== undefined && row.wasLocked) results.set(row.ofPayment, resultOf(row, transition));
  }
  return results;
}

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
