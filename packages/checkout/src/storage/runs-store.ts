import { sql } from 'kysely';
import type { Selectable } from './schema/columns.ts';
import type { UpdateObject } from 'kysely';
import { isTaken } from './database-failure.ts';
import { toJsonText } from './json-text.ts';
import type { Db } from './db.ts';
import type { FlowRunsTable } from './schema/flow-runs.ts';
import type { Schema } from './schema/index.ts';
import { milliseconds } from './sql-clock.ts';
import type { SqlClock } from './sql-clock.ts';

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
  /** A renewal of the payment's code has not finished: of any number at once one is begun. */
  | { readonly result: 'renewal-under-way' };

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
      if (isTaken(error, 'flow_runs_one_renewal')) return { result: 'renewal-under-way' };
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
   * Takes runs that no process holds, those that were let go first coming first. Two callers never get the same one.
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
   * Lets go of runs whose holders are gone. A holder that was only paused can begin nothing more with them, and one that gave a sign
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
