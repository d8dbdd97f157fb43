import type { Journal, JournalEntry } from '@railyard/runtime';
import { sql } from 'kysely';
import { fromJsonText, toJsonText } from './json-text.ts';
import type { Db } from './db.ts';
import { LeaseLostError } from './runs-store.ts';
import type { RunLease } from './runs-store.ts';
import { milliseconds } from './sql-clock.ts';
import type { SqlClock } from './sql-clock.ts';

/**
 * The journal of one run, for the holder of its lease.
 *
 * `begin` is durable when it returns, and throws LeaseLostError if another process executes the run by now, or its payment or
 * modification was decided meanwhile: nothing may be sent then. `finish` needs no lease: the reply to a process that lost the run
 * still shows what the provider did.
 *
 * @param leaseMs how long the run is kept from each `begin` on, so that a flow of many slow calls is not taken over meanwhile
 */
export function sqlJournal(db: Db, clock: SqlClock, lease: RunLease, leaseMs = 0): Journal {
  const ours = (run: string) => {
    if (run !== lease.runId) throw new Error(`This is the journal of the run ${lease.runId}, not of ${run}.`);
    return run;
  };
  return {
    async load(run): Promise<JournalEntry[]> {
      const rows = await db
        .selectFrom('journal')
        .selectAll()
        .where('runId', '=', ours(run))
        .orderBy('position')
        .execute();
      return rows.map(({ step, kind, state, sends, replyText }) => ({
        step,
        kind,
        state,
        sends,
        ...(replyText !== null && { reply: fromJsonText(replyText) }),
      }));
    },

    async begin(run, step, kind) {
      // The lock on the run makes a process that lost its lease wait for, and then see, the claim of the other one.
      const started = await sql`
        WITH undecided AS (
          -- The payment first, as every change of it does: no step begins beside a change that decides the payment, or after it.
          SELECT r.run_id FROM flow_runs r JOIN payments p ON p.id = r.payment_id
          WHERE r.run_id = ${ours(run)}::uuid AND (r.purpose <> p.operation OR p.state IN ('created', 'pending'))
          FOR SHARE OF p
        ), acted AS (
          -- Then the modification that the run is of, for the same reason.
          SELECT a.state FROM modifications a JOIN undecided u ON u.run_id = a.id FOR SHARE OF a
        ), held AS (
          UPDATE flow_runs SET lease_until = greatest(lease_until, ${clock()} + ${milliseconds(leaseMs)}), begun_steps = begun_steps + 1
          FROM undecided
          WHERE flow_runs.run_id = undecided.run_id AND lease_epoch = ${lease.epoch}::integer AND state = 'running'
            AND NOT EXISTS (SELECT FROM acted WHERE acted.state NOT IN ('requested', 'pending', 'unknown'))
          RETURNING flow_runs.run_id, begun_steps
        )
        INSERT INTO journal AS j (run_id, position, step, kind, state, sends, begun_at)
        SELECT run_id, begun_steps, ${step}, ${kind}, 'begun', 1, ${clock()}
        FROM held
        ON CONFLICT (run_id, step) DO UPDATE SET
          state = CASE WHEN j.state = 'done' THEN 'done' ELSE 'begun' END,
          -- A send that provably did not arrive is not counted: more than one means that the reply may be that of a repeat.
          sends = CASE WHEN j.state = 'begun' THEN j.sends + 1 ELSE j.sends END
        RETURNING j.step`.execute(db);
      if (started.rows.length === 0) throw new LeaseLostError(lease.runId);
    },

    async notSent(run, step) {
      // Only from the process that executes the run: another one may have begun the step again meanwhile, and sent it.
      await sql`
        WITH held AS (
          SELECT run_id FROM flow_runs
          WHERE run_id = ${ours(run)}::uuid AND lease_epoch = ${lease.epoch}::integer AND state = 'running' FOR UPDATE
        )
        UPDATE journal SET state = 'not-sent' FROM held
        WHERE journal.run_id = held.run_id AND journal.step = ${step} AND journal.state = 'begun'`.execute(db);
    },

    async finish(run, step, reply) {
      const text = toJsonText(reply);
      const done = await db
        .updateTable('journal')
        .set({ state: 'done', replyText: text, doneAt: clock() })
        .where('runId', '=', ours(run))
        .where('step', '=', step)
        .where('state', '!=', 'done')
        .executeTakeFirst();
      if (done.numUpdatedRows === 1n) return fromJsonText(text);
      const entry = await db
        .selectFrom('journal')
        .select('replyText')
        .where('runId', '=', run)
        .where('step', '=', step)
        .executeTakeFirst();
      if (entry === undefined || entry.replyText === null)
        throw new Error(`The step ${step} of the run ${run} was never begun.`);
      return fromJsonText(entry.replyText);
    },
  };
}
