import type { Journal, JournalEntry } from '@railyard/runtime';
import { fromJsonText, milliseconds, toJsonText, type Db, type SqlClock } from './database/sql.ts';
import { withOthers } from './database/shared-statements.ts';
import { sql, type Expression, type UpdateObject } from 'kysely';
import type { FlowRunsTable, Schema, Selectable } from './tables.ts';
import { isTaken } from './database/failure.ts';

/** A step that begins, of a run that its writer holds. */
export interface NewStep {
  readonly runId: string;
  /** Of the lease. */
  readonly epoch: number;
  readonly step: string;
  readonly kind: JournalEntry['kind'];
}

/** @returns false if another process executes the run by now, or its payment or modification was decided meanwhile */
export async function beginStep(db: Db, clock: SqlClock, step: NewStep): Promise<boolean> {
  const begun = await stepsThatBegin([step], clock(), false).execute(db);
  return begun.rows.length > 0;
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
  const begun = await stepsThatBegin(steps, clock(), true).execute(db);
  return new Map(begun.rows.map(({ runId }) => [runId, true]));
}

/**
 * Begins steps, each of another run, or not at all. A row of `t` is a step.
 *
 * @param together with others: a run that is locked just now is left out, so that the others do not wait for it
 */
const stepsThatBegin = (steps: readonly NewStep[], now: Expression<Date>, together: boolean) => sql<{ runId: string }>`
WITH t AS (
  SELECT * FROM json_to_recordset(${toJsonText(steps)}::text::json) AS t ("runId" uuid, epoch integer, step text, kind text)
  -- Of a function a server assumes a hundred rows, and reads whole tables for them; of those within two bounds one in two hundred.
  WHERE octet_length(t."runId"::text) BETWEEN 1 AND 1000

), ${together ? OURS_IF_FREE : OURS}

-- The lock on the run makes a process that lost its lease wait for, and then see, the claim of the other one.
), held AS (
  UPDATE flow_runs r SET begun_steps = r.begun_steps + 1
  FROM ours JOIN t ON t."runId" = ours.run_id
  WHERE r.run_id = ours.run_id AND r.lease_epoch = t.epoch AND r.state = 'running'
  RETURNING r.run_id, r.begun_steps
)

-- A step that was begun before begins again.
INSERT INTO journal AS j (run_id, position, step, kind, state, sends, begun_at)
SELECT held.run_id, held.begun_steps, t.step, t.kind, 'begun', 1, ${now}
FROM held JOIN t ON t."runId" = held.run_id
ON CONFLICT (run_id, step) DO UPDATE SET
  state = CASE WHEN j.state = 'done' THEN 'done' ELSE 'begun' END,
  -- A send that provably did not arrive is not counted: more than one means that the reply may be that of a repeat.
  sends = CASE WHEN j.state = 'begun' THEN j.sends + 1 ELSE j.sends END
RETURNING j.run_id`;

/** The payment first, as every change of it does: no step begins beside a change that decides the payment, or after it. */
const OURS = sql.raw(`undecided AS (
  SELECT r.run_id FROM t JOIN flow_runs r ON r.run_id = t."runId" JOIN payments p ON p.id = r.payment_id
  WHERE r.purpose <> p.operation OR p.state IN ('created', 'pending') FOR SHARE OF p
), acted AS (
  -- Then the modification that the run is of, for the same reason.
  SELECT a.id, a.state FROM modifications a JOIN undecided u ON u.run_id = a.id FOR SHARE OF a
), ours AS (
  SELECT u.run_id FROM undecided u
  WHERE NOT EXISTS (SELECT FROM acted WHERE acted.id = u.run_id AND acted.state NOT IN ('requested', 'pending', 'unknown'))`);

/** Under the locks that a step takes alone. */
const OURS_IF_FREE = sql.raw(`ours AS (
  SELECT r.run_id FROM t JOIN flow_runs r ON r.run_id = t."runId" JOIN payments p ON p.id = r.payment_id
  WHERE r.purpose = p.operation AND p.state IN ('created', 'pending') AND r.lease_epoch = t.epoch AND r.state = 'running'
  ORDER BY p.id FOR SHARE OF p SKIP LOCKED FOR UPDATE OF r SKIP LOCKED`);

export type FlowRun = Selectable<FlowRunsTable>;

/** The part of a run that its execution needs. */
export type ExecutableRun = Pick<FlowRun, 'runId' | 'paymentId' | 'purpose' | 'startedAt' | 'inputText' | 'tries'>;

/** The right to execute a run, until its holder is held to be gone or the run is claimed again. */
export interface RunLease {
  readonly runId: string;
  readonly owner: string;
  readonly epoch: number;
}

/** Another process has claimed the run, or it has ended: the process that gets this error must stop at once and send nothing. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor(runId: string) {
    super(`The run ${runId} is no longer ours to execute.`);
  }
}

export interface NewRun {
  /** A UUID. */
  readonly runId: string;
  readonly paymentId: string;
  readonly purpose: string;
  readonly connectorId: string;
  readonly connectorVersion: string;
  /** JSON; never a secret. */
  readonly input: unknown;
  readonly owner: string;
  readonly leaseMs: number;
}

export interface ClaimedRun {
  readonly run: FlowRun;
  readonly lease: RunLease;
}

/** A run that a process holds, with its latest sign of life. */
export type HeldRun = Pick<FlowRun, 'runId' | 'leaseOwner' | 'leaseEpoch' | 'beats'>;

/** A run that was taken up, and the account that its calls go to. */
export interface TakenRun extends ClaimedRun {
  readonly midId: string;
}

export type CreatedRun =
  | ({ readonly result: 'created' } & ClaimedRun)
  /** A renewal or withdrawal of the payment has not finished: of any number at once one is begun. */
  | { readonly result: 'under-way' };

const claimed = (run: FlowRun, owner: string): ClaimedRun => ({
  run,
  lease: { runId: run.runId, owner, epoch: run.leaseEpoch },
});

/** Runs of flows and who executes them. */
export class RunsStore {
  readonly #db: Db;
  readonly #clock: SqlClock;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Begins a run of a modification on a payment that exists. (The run of its operation is begun by `paymentsStore.begin`.) */
  async create(run: NewRun): Promise<CreatedRun> {
    try {
      return { result: 'created', ...claimed(await this.#insert(run), run.owner) };
    } catch (error) {
      if (isTaken(error, 'flow_runs_one_follow_up')) return { result: 'under-way' };
      throw error;
    }
  }

  async #insert(run: NewRun): Promise<FlowRun> {
    return this.#db
      .insertInto('flowRuns')
      .values({
        runId: run.runId,
        paymentId: run.paymentId,
        purpose: run.purpose,
        connectorId: run.connectorId,
        connectorVersion: run.connectorVersion,
        state: 'running',
        startedAt: this.#clock(),
        inputText: toJsonText(run.input),
        leaseOwner: run.owner,
        leaseEpoch: 1,
        leaseUntil: sql<Date>`${this.#clock()} + ${milliseconds(run.leaseMs)}`,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  async find(runId: string): Promise<FlowRun | undefined> {
    return this.#db.selectFrom('flowRuns').selectAll().where('runId', '=', runId).executeTakeFirst();
  }

  /** The runs of a payment, oldest first. */
  async ofPayment(paymentId: string): Promise<FlowRun[]> {
    return this.#db
      .selectFrom('flowRuns')
      .selectAll()
      .where('paymentId', '=', paymentId)
      .orderBy('startedAt')
      .orderBy('runId')
      .execute();
  }

  /**
   * Takes a suspended run to execute it, because its payer answered.
   *
   * @returns undefined if it waits for no answer (any more)
   */
  async claim(runId: string, owner: string, leaseMs: number): Promise<ClaimedRun | undefined> {
    const run = await sql<FlowRun>`
        UPDATE flow_runs SET state = 'running', suspended_step = NULL, suspended_text = NULL, lease_owner = ${owner},
          lease_epoch = lease_epoch + 1, lease_until = ${this.#clock()} + ${milliseconds(leaseMs)}
        WHERE run_id = ${runId}::uuid AND state = 'suspended'
        RETURNING *`.execute(this.#db);
    return run.rows[0] && claimed(run.rows[0], owner);
  }

  /**
   * Takes runs that no process holds, the longest free first. Two callers never get the same run.
   *
   * @param except the runs that the caller still has under way, though they were taken from it, and accounts that are busy
   */
  async claimAbandoned(
    owner: string,
    leaseMs: number,
    limit: number,
    except: { readonly mids?: readonly string[]; readonly runs?: readonly string[] } = {},
  ): Promise<TakenRun[]> {
    const { mids = [], runs = [] } = except;
    const taken = await sql<FlowRun & { readonly midId: string }>`
        WITH due AS (
          SELECT r.run_id, p.mid_id FROM flow_runs r JOIN payments p ON p.id = r.payment_id
          WHERE r.state = 'running' AND r.lease_owner IS NULL
            AND p.mid_id NOT IN (SELECT json_array_elements_text(${toJsonText(mids)}::json))
            AND r.run_id::text NOT IN (SELECT json_array_elements_text(${toJsonText(runs)}::json))
          ORDER BY r.lease_until LIMIT ${limit}::integer FOR UPDATE OF r SKIP LOCKED
        )
        UPDATE flow_runs SET lease_owner = ${owner}, lease_epoch = lease_epoch + 1, tries = tries + 1,
          lease_until = ${this.#clock()} + ${milliseconds(leaseMs)}
        FROM due WHERE flow_runs.run_id = due.run_id
        RETURNING flow_runs.*, due.mid_id`.execute(this.#db);
    return taken.rows.map(({ midId, ...run }) => ({ ...claimed(run, owner), midId }));
  }

  /** Its holder executes a run once more. @returns undefined if it holds it no longer */
  async again({ runId, owner, epoch }: RunLease, leaseMs: number): Promise<ClaimedRun | undefined> {
    const run = await sql<FlowRun>`
        UPDATE flow_runs SET lease_epoch = lease_epoch + 1, tries = tries + 1,
          lease_until = ${this.#clock()} + ${milliseconds(leaseMs)}
        WHERE run_id = ${runId}::uuid AND state = 'running' AND lease_owner = ${owner} AND lease_epoch = ${epoch}::integer
        RETURNING *`.execute(this.#db);
    return run.rows[0] && claimed(run.rows[0], owner);
  }

  /** Keeps a run for longer. @throws LeaseLostError */
  async renew(lease: RunLease, leaseMs: number): Promise<void> {
    await this.#update(lease, { leaseUntil: sql<Date>`${this.#clock()} + ${milliseconds(leaseMs)}` });
  }

  /** Gives a sign of life of the process that holds these runs. */
  async beat(owner: string, runIds: readonly string[], leaseMs: number): Promise<void> {
    await sql`UPDATE flow_runs SET beats = beats + 1, lease_until = ${this.#clock()} + ${milliseconds(leaseMs)}
        WHERE state = 'running' AND lease_owner = ${owner}
          AND run_id::text IN (SELECT json_array_elements_text(${toJsonText(runIds)}::json))`.execute(this.#db);
  }

  /** Every run that a process holds. */
  async held(): Promise<HeldRun[]> {
    return this.#db
      .selectFrom('flowRuns')
      .select(['runId', 'leaseOwner', 'leaseEpoch', 'beats'])
      .where('state', '=', 'running')
      .where('leaseOwner', 'is not', null)
      .execute();
  }

  /**
   * Frees runs whose holders are gone. A holder that was only paused can begin nothing more with them, and a holder that gave a sign
   * of life meanwhile keeps them.
   *
   * @returns how many are free now
   */
  async abandon(gone: readonly HeldRun[]): Promise<number> {
    const freed = await sql`
        UPDATE flow_runs r SET lease_owner = NULL, lease_epoch = r.lease_epoch + 1, lease_until = ${this.#clock()}
        FROM json_to_recordset(${toJsonText(gone)}::json) AS g ("runId" text, "leaseEpoch" integer, beats integer)
        WHERE r.run_id::text = g."runId" AND r.state = 'running' AND r.lease_epoch = g."leaseEpoch" AND r.beats = g.beats`.execute(
      this.#db,
    );
    return Number(freed.numAffectedRows ?? 0n);
  }

  /** Gives back everything that a process holds, so that others need not find out that it is gone. */
  async releaseAll(owner: string): Promise<void> {
    await sql`UPDATE flow_runs SET lease_owner = NULL, lease_epoch = lease_epoch + 1, lease_until = ${this.#clock()}
        WHERE state = 'running' AND lease_owner = ${owner}`.execute(this.#db);
  }

  /** The flow waits for the payer at `step`; `asks` (JSON) holds its questions. @throws LeaseLostError */
  async suspend(lease: RunLease, step: string, asks: unknown): Promise<void> {
    await this.#update(lease, {
      state: 'suspended',
      suspendedStep: step,
      suspendedText: toJsonText(asks),
      leaseOwner: null,
      leaseUntil: null,
    });
  }

  /**
   * The flow has ended with `outcome` (JSON). Where the outcome changes the payment, let `paymentsStore.applyTransition` finish the run in the
   * same statement instead.
   *
   * @throws LeaseLostError
   */
  async finish(lease: RunLease, outcome: unknown): Promise<void> {
    await this.#update(lease, {
      state: 'finished',
      outcomeText: toJsonText(outcome),
      finishedAt: this.#clock(),
      leaseOwner: null,
      leaseUntil: null,
    });
  }

  async #update(lease: RunLease, change: UpdateObject<Schema, 'flowRuns', 'flowRuns'>): Promise<void> {
    const changed = await this.#db
      .updateTable('flowRuns')
      .set(change)
      .where('runId', '=', lease.runId)
      .where('leaseEpoch', '=', lease.epoch)
      .where('state', '=', 'running')
      .executeTakeFirst();
    if (changed.numUpdatedRows !== 1n) throw new LeaseLostError(lease.runId);
  }
}

export const runsStore = (db: Db, clock: SqlClock): RunsStore => new RunsStore(db, clock);

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
      return rows.map(({ step, kind, state, sends, begunAt, replyText }) => ({
        step,
        kind,
        state,
        sends,
        begunAt: begunAt.toISOString(),
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
