import { sql } from 'kysely';
import type { Selectable, UpdateObject } from 'kysely';
import { toJsonText } from './json-text.ts';
import type { Db } from './open-database.ts';
import type { FlowRunsTable } from './schema/flow-runs.ts';
import type { Schema } from './schema/index.ts';
import { milliseconds } from './sql-clock.ts';
import type { SqlClock } from './sql-clock.ts';

export type FlowRun = Selectable<FlowRunsTable>;

/** The right to drive a run, until it runs out or somebody claims the run again. */
export interface RunLease {
  readonly runId: string;
  readonly owner: string;
  readonly epoch: number;
}

/** The run was claimed by somebody else, or has ended: whoever gets this must stop at once and send nothing. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor(runId: string) {
    super(`The run ${runId} is no longer ours to drive.`);
  }
}

export interface NewRun {
  /** A UUID. */
  readonly runId: string;
  readonly paymentId: string;
  readonly action: string;
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

const claimed = (run: FlowRun, owner: string): ClaimedRun => ({
  run,
  lease: { runId: run.runId, owner, epoch: run.leaseEpoch },
});

/** Runs of flows and who drives them. */
export class RunsStore {
  readonly #db: Db;
  readonly #clock: SqlClock;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Begins a run of an action on a payment that exists. (The run of its operation is begun by `paymentsStore.begin`.) */
  async create(run: NewRun): Promise<ClaimedRun> {
    const stored = await this.#db
      .insertInto('flowRuns')
      .values({
        runId: run.runId,
        paymentId: run.paymentId,
        action: run.action,
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
    return claimed(stored, run.owner);
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
   * Takes a run to drive it: a suspended one, because its payer answered, or one whose driver is gone.
   *
   * @returns undefined if somebody drives it or it has ended
   */
  async claim(runId: string, owner: string, leaseMs: number): Promise<ClaimedRun | undefined> {
    const now = this.#clock();
    const run = await sql<FlowRun>`
        UPDATE flow_runs SET state = 'running', suspended_step = NULL, suspended_text = NULL, lease_owner = ${owner},
          lease_epoch = lease_epoch + 1, lease_until = ${now} + ${milliseconds(leaseMs)}
        WHERE run_id = ${runId}::uuid AND (state = 'suspended' OR (state = 'running' AND lease_until <= ${now}))
        RETURNING *`.execute(this.#db);
    return run.rows[0] && claimed(run.rows[0], owner);
  }

  /** Takes runs whose driver is gone, oldest lease first. Two callers never get the same one. */
  async claimAbandoned(
    owner: string,
    leaseMs: number,
    limit: number,
    exceptConnectors: readonly string[] = [],
  ): Promise<ClaimedRun[]> {
    const now = this.#clock();
    const runs = await sql<FlowRun>`
        WITH due AS (
          SELECT run_id FROM flow_runs WHERE state = 'running' AND lease_until <= ${now}
            AND connector_id NOT IN (SELECT json_array_elements_text(${toJsonText(exceptConnectors)}::json))
          ORDER BY lease_until LIMIT ${limit}::integer FOR UPDATE SKIP LOCKED
        )
        UPDATE flow_runs SET lease_owner = ${owner}, lease_epoch = lease_epoch + 1, tries = tries + 1,
          lease_until = ${now} + ${milliseconds(leaseMs)}
        FROM due WHERE flow_runs.run_id = due.run_id
        RETURNING flow_runs.*`.execute(this.#db);
    return runs.rows.map((run) => claimed(run, owner));
  }

  /** Keeps a run for longer. @throws LeaseLostError */
  async renew(lease: RunLease, leaseMs: number): Promise<void> {
    await this.#update(lease, { leaseUntil: sql<Date>`${this.#clock()} + ${milliseconds(leaseMs)}` });
  }

  /** Gives a running run back, so that whoever starts next need not wait for the lease to run out. @throws LeaseLostError */
  async release(lease: RunLease): Promise<void> {
    await this.#update(lease, { leaseUntil: sql<Date>`${this.#clock()}` });
  }

  /** The flow waits for the payer at `step`; `asks` (JSON) is what he is asked. @throws LeaseLostError */
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
