import type { Journal, JournalEntry } from '@railyard/runtime';
import { sql } from 'kysely';
import { beginStep, beginSteps, type NewStep } from './begin-step.ts';
import { fromJsonText, toJsonText } from './json-text.ts';
import type { Db } from './db.ts';
import { LeaseLostError } from './runs-store.ts';
import type { RunLease } from './runs-store.ts';
import type { SqlClock } from './sql-clock.ts';
import { withOthers } from './with-others.ts';

/**
 * The journal of one run, for the holder of its lease.
 *
 * `begin` is durable when it returns, and throws LeaseLostError if another process executes the run by now, or its payment or
 * modification was decided meanwhile: nothing may be sent then. `finish` needs no lease: the reply to a process that lost the run
 * still shows what the provider did.
 *
 * @param begin writes the beginning of a step
 */
export function sqlJournal(
  db: Db,
  clock: SqlClock,
  lease: RunLease,
  begin = (step: NewStep) => beginStep(db, clock, step),
): Journal {
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
      if (!(await begin({ runId: ours(run), epoch: lease.epoch, step, kind }))) throw new LeaseLostError(lease.runId);
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

/** The journals of runs. Steps that begin at the same moment are written together. */
export class JournalsStore {
  readonly #db: Db;
  readonly #clock: SqlClock;
  readonly #begin: (step: NewStep) => Promise<boolean>;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
    this.#begin = withOthers({
      key: ({ runId }) => runId,
      together: (steps) => beginSteps(db, clock, steps),
      alone: (step) => beginStep(db, clock, step),
    });
  }

  /** See `sqlJournal`. */
  of(lease: RunLease): Journal {
    return sqlJournal(this.#db, this.#clock, lease, this.#begin);
  }
}

export const journalsStore = (db: Db, clock: SqlClock): JournalsStore => new JournalsStore(db, clock);
