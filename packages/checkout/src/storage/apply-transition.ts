import { sql } from 'kysely';
import type { Db } from './db.ts';
import { toJsonText } from './json-text.ts';
import { givenRows } from './row-values.ts';
import type { SqlClock } from './sql-clock.ts';
import type { Transition, TransitionResult } from './transition.ts';
import { resultOf, transitionStatement, type TransitionStatement } from './transition-statement.ts';

/**
 * Changes a payment: its row, one row of its history, its references, its callbacks, the provider's event or the run that caused the change,
 * and its session. One statement: all of it, or nothing.
 *
 * @throws the database's error if a sum would become impossible, or if a reference belongs to another payment
 */
export async function applyTransition(db: Db, clock: SqlClock, transition: Transition): Promise<TransitionResult> {
  const statement = transitionStatement(clock, transition, false);
  const applied = await statement.of(givenRows([statement.row])).execute(db);
  const [found] = applied.rows;
  return found === undefined ? { result: 'stale' } : resultOf(found, transition);
}

/** Whether others can be written with it: what it changes is found by its payment alone. */
export const goesWithOthers = ({ failover, schedule, modification, newModification }: Transition): boolean =>
  failover === undefined && schedule === undefined && modification === undefined && newModification === undefined;

/**
 * Changes several payments, with a statement for all that change in the same way. A payment or session that is locked just now is left out.
 *
 * @param transitions each of another payment
 * @returns the results by payment; where there is none, nothing was done: the transition is to be applied by itself
 */
export async function applyTogether(
  db: Db,
  clock: SqlClock,
  transitions: readonly Transition[],
): Promise<ReadonlyMap<string, TransitionResult>> {
  const results = new Map<string, TransitionResult>();
  const apply = async (alike: readonly Prepared[]) => {
    const [first] = alike;
    if (first === undefined) return;
    const applied = await first.statement.of(givenRows(alike.map(({ statement: { row } }) => row))).execute(db);
    const byId = new Map(alike.map(({ transition }) => [transition.paymentId, transition]));
    for (const row of applied.rows) {
      const transition = byId.get(row.ofPayment);
      if (transition !== undefined && row.wasLocked) results.set(row.ofPayment, resultOf(row, transition));
    }
  };
  await Promise.all(likeEachOther(db, clock, transitions).map(apply));
  return results;
}

interface Prepared {
  readonly transition: Transition;
  readonly statement: TransitionStatement;
}

/** Groups of transitions that one statement can apply: its text is the same for each, and so are its parameters beside the rows. */
function likeEachOther(db: Db, clock: SqlClock, transitions: readonly Transition[]): Prepared[][] {
  const groups = new Map<string, Prepared[]>();
  for (const transition of transitions) {
    const statement = transitionStatement(clock, transition, true);
    const { sql: text, parameters } = statement.of(sql``).compile(db);
    const likeness = toJsonText([text, statement.row.types, parameters]);
    const group = groups.get(likeness);
    if (group === undefined) groups.set(likeness, [{ transition, statement }]);
    else group.push({ transition, statement });
  }
  return [...groups.values()];
}
