import type { JournalEntry } from '@railyard/runtime';
import { sql } from './piece.ts';
import { executePlain } from './plain-statement.ts';
import type { Db } from './db.ts';
import { givenRows, rowColumns } from './row-values.ts';
import type { SqlClock } from './sql-clock.ts';

/** A step that begins, of a run that its writer holds. */
export interface NewStep {
  readonly runId: string;
  /** Of the lease. */
  readonly epoch: number;
  readonly step: string;
  readonly kind: JournalEntry['kind'];
}

/** A step that was begun before begins again. */
const again = sql`
  ON CONFLICT (run_id, step) DO UPDATE SET
    state = CASE WHEN j.state = 'done' THEN 'done' ELSE 'begun' END,
    -- A send that provably did not arrive is not counted: more than one means that the reply may be that of a repeat.
    sends = CASE WHEN j.state = 'begun' THEN j.sends + 1 ELSE j.sends END`;

/** @returns false if another process executes the run by now, or its payment or modification was decided meanwhile */
export async function beginStep(db: Db, clock: SqlClock, { runId, epoch, step, kind }: NewStep): Promise<boolean> {
  // The lock on the run makes a process that lost its lease wait for, and then see, the claim of the other one.
  const started = await executePlain(
    db,
    sql`
    WITH undecided AS (
      -- The payment first, as every change of it does: no step begins beside a change that decides the payment, or after it.
      SELECT r.run_id FROM flow_runs r JOIN payments p ON p.id = r.payment_id
      WHERE r.run_id = ${runId}::uuid AND (r.purpose <> p.operation OR p.state IN ('created', 'pending'))
      FOR SHARE OF p
    ), acted AS (
      -- Then the modification that the run is of, for the same reason.
      SELECT a.state FROM modifications a JOIN undecided u ON u.run_id = a.id FOR SHARE OF a
    ), held AS (
      UPDATE flow_runs SET begun_steps = begun_steps + 1
      FROM undecided
      WHERE flow_runs.run_id = undecided.run_id AND lease_epoch = ${epoch}::integer AND state = 'running'
        AND NOT EXISTS (SELECT FROM acted WHERE acted.state NOT IN ('requested', 'pending', 'unknown'))
      RETURNING flow_runs.run_id, begun_steps
    )
    INSERT INTO journal AS j (run_id, position, step, kind, state, sends, begun_at)
    SELECT run_id, begun_steps, ${step}, ${kind}, 'begun', 1, ${clock()}
    FROM held${again} RETURNING j.step`,
  );
  return started.rows.length > 0;
}

/**
 * Begins steps of several operations in one statement. Left out are a run or payment that is locked just now, and a run of a modification.
 *
 * @returns by run; where there is none, nothing was done
 */
export async function beginSteps(
  db: Db,
  clock: SqlClock,
  steps: readonly NewStep[],
): Promise<ReadonlyMap<string, boolean>> {
  const now = clock();
  const given = steps.map(({ runId, epoch, step, kind }) => {
    const row = rowColumns(runId);
    return { row, epoch: row.of('integer', epoch), step: row.of('text', step), kind: row.of('text', kind) };
  });
  const [first] = given;
  if (first === undefined) return new Map();
  const rows = givenRows(
    'uuid',
    given.map(({ row }) => row),
  );
  const begun = await executePlain(
    db,
    sql<{ runId: string }>`
    WITH given AS (${rows}), ours AS (
      -- Under the locks that a single step takes.
      SELECT r.run_id FROM given g JOIN flow_runs r ON r.run_id = g.key JOIN payments p ON p.id = r.payment_id
      WHERE r.purpose = p.operation AND p.state IN ('created', 'pending') AND r.lease_epoch = ${first.epoch} AND r.state = 'running'
      ORDER BY p.id FOR SHARE OF p SKIP LOCKED FOR UPDATE OF r SKIP LOCKED
    ), held AS (
      UPDATE flow_runs r SET begun_steps = begun_steps + 1
      FROM ours JOIN given g ON g.key = ours.run_id WHERE r.run_id = ours.run_id
      RETURNING r.run_id, begun_steps
    )
    INSERT INTO journal AS j (run_id, position, step, kind, state, sends, begun_at)
    SELECT held.run_id, begun_steps, ${first.step}, ${first.kind}, 'begun', 1, ${now}
    FROM held JOIN given g ON g.key = held.run_id${again} RETURNING j.run_id`,
  );
  return new Map(begun.rows.map(({ runId }) => [runId, true]));
}
