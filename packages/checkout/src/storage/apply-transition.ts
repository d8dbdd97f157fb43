import { applyTransitions, type AppliedRow } from './apply-transition.sql.ts';
import { executePlain, type Db, type SqlClock } from './database/sql.ts';
import { insertPayment, type NewPayment } from './insert-payment.ts';
import { paymentOf, type Payment } from './payment.ts';
import type { NewCallback, SentCallback, Transition, TransitionResult } from './transition.ts';

/**
 * Changes a payment: its row, one row of its history, its references, its callbacks, the provider's event or the run that caused the change,
 * and its session. One statement: all of it, or nothing.
 *
 * @throws the database's error if a sum would become impossible, or if a reference belongs to another payment
 */
export async function applyTransition(db: Db, clock: SqlClock, transition: Transition): Promise<TransitionResult> {
  const { rows } = await executePlain(db, applyTransitions([transition], clock(), false));
  const [row] = rows;
  return row === undefined ? { result: 'stale' } : resultOf(row, transition);
}

/** Whether others can be written with it: what it changes is found by its payment alone. */
export const goesWithOthers = ({ failover, schedule, modification, newModification }: Transition): boolean =>
  failover === undefined && schedule === undefined && modification === undefined && newModification === undefined;

/**
 * Changes several payments in one statement. A payment that is locked just now is left out, and so is one whose run or session is.
 *
 * @param transitions each of another payment
 * @returns the results by payment; where there is none, at most the reply of a run was written: the transition is to be applied by itself
 */
export async function applyTogether(
  db: Db,
  clock: SqlClock,
  transitions: readonly Transition[],
): Promise<ReadonlyMap<string, TransitionResult>> {
  const byId = new Map(transitions.map((transition) => [transition.paymentId, transition]));
  const { rows } = await executePlain(db, applyTransitions(transitions, clock(), true));
  const results = new Map<string, TransitionResult>();
  for (const row of rows) {
    const transition = byId.get(row.ofPayment);
    if (transition !== undefined && row.wasLocked) results.set(row.ofPayment, resultOf(row, transition));
  }
  return results;
}

/** The result of a transition, by the row that its statement has of it. */
function resultOf(row: AppliedRow, { callbacks }: Transition): TransitionResult {
  if (!row.wasLocked) return { result: 'stale' };
  if (!row.wasNew) return { result: 'seen' };
  if (!row.wasChanged) return { result: 'run-lost' };
  const payment = paymentOf(row);
  return { result: 'applied', payment, closedSession: row.wasClosed, ...sentBy(payment, callbacks?.[0], row.claimed) };
}

function sentBy(
  { id: paymentId, merchantKey }: Payment,
  first: NewCallback | undefined,
  claimed: AppliedRow['claimed'],
): { readonly claimed?: SentCallback } {
  if (first === undefined || claimed === null) return {};
  return { claimed: { ...first, ...claimed, paymentId, merchantKey, attempts: 1, tries: 1 } };
}

class NotInsertedError extends Error {
  override readonly name = 'NotInsertedError';
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
