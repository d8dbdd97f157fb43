import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { toJsonText } from './json-text.ts';
import type { Db } from './open-database.ts';
import type { CallbackAttemptsTable, CallbacksTable } from './schema/callbacks.ts';
import { milliseconds } from './sql-clock.ts';
import type { SqlClock } from './sql-clock.ts';

export type Callback = Selectable<CallbacksTable>;
export type CallbackAttempt = Selectable<CallbackAttemptsTable>;

/** How one attempt ended. */
export interface AttemptResult {
  /** The receiver's HTTP status, if it answered. */
  readonly status?: number;
  /** In a few words, without the receiver's body. */
  readonly error?: string;
  readonly durationMs: number;
  readonly next:
    | { readonly state: 'delivered' }
    | { readonly state: 'dead' }
    | { readonly state: 'waiting'; readonly retryInMs: number };
}

/** What merchants are told. Callbacks are written by `paymentsStore.applyTransition`. */
export class CallbacksStore {
  readonly #db: Db;
  readonly #clock: SqlClock;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Takes callbacks to deliver, the longest due first, each counted as an attempt. Of a payment only the first one that is still waiting is
   * due, so a merchant hears of a payment in order; a dead one blocks nothing. Taken ones come again after `holdMs` if no result was recorded.
   * Two callers never get the same one.
   */
  async claimDue(limit: number, holdMs: number, exceptUrls: readonly string[] = []): Promise<Callback[]> {
    const now = this.#clock();
    const due = await sql<Callback>`
        WITH due AS (
          SELECT id FROM callbacks c
          WHERE state = 'waiting' AND next_try_at <= ${now}
            AND url NOT IN (SELECT json_array_elements_text(${toJsonText(exceptUrls)}::json)) AND NOT EXISTS (
            SELECT FROM callbacks earlier
            WHERE earlier.payment_id = c.payment_id AND earlier.state = 'waiting' AND earlier.seq < c.seq
          )
          ORDER BY next_try_at, seq LIMIT ${limit}::integer FOR UPDATE SKIP LOCKED
        )
        UPDATE callbacks SET attempts = attempts + 1, next_try_at = ${now} + ${milliseconds(holdMs)}
        FROM due WHERE callbacks.id = due.id
        RETURNING callbacks.*`.execute(this.#db);
    return due.rows;
  }

  /**
   * Records how the attempt of a claimed callback ended, and what comes next.
   *
   * @param attempt `attempts` of the claimed callback
   * @returns false if it was claimed again meanwhile: the later attempt decides, unless this one delivered it
   */
  async recordAttempt(id: string, attempt: number, result: AttemptResult): Promise<boolean> {
    const now = this.#clock();
    const { state } = result.next;
    const retryInMs = result.next.state === 'waiting' ? result.next.retryInMs : 0;
    const status = result.status ?? null;
    const error = result.error ?? null;
    // A delivery is a fact whoever reports it; any other result counts only from the newest attempt.
    const changed = await sql`
        WITH logged AS (
          INSERT INTO callback_attempts (callback_id, attempt, status, error, duration_ms, at)
          VALUES (${id}, ${attempt}::integer, ${status}::integer, ${error}, ${Math.round(result.durationMs)}::integer, ${now})
          ON CONFLICT DO NOTHING
        )
        UPDATE callbacks SET state = ${state}, last_status = ${status}::integer, last_error = ${error},
          next_try_at = ${now} + ${milliseconds(retryInMs)}, delivered_at = CASE WHEN ${state} = 'delivered' THEN ${now} END
        WHERE id = ${id} AND state <> 'delivered' AND (attempts = ${attempt}::integer OR ${state} = 'delivered')`.execute(
      this.#db,
    );
    return changed.numAffectedRows === 1n;
  }

  /** Sends a dead or delivered callback again, with the same id and bytes. @returns false if it is waiting already or does not exist */
  async replay(id: string): Promise<boolean> {
    const replayed = await this.#db
      .updateTable('callbacks')
      .set({ state: 'waiting', deliveredAt: null, nextTryAt: this.#clock() })
      .where('id', '=', id)
      .where('state', '!=', 'waiting')
      .executeTakeFirst();
    return replayed.numUpdatedRows === 1n;
  }

  /** The callbacks of a payment in the order of their sequence. */
  async ofPayment(paymentId: string): Promise<Callback[]> {
    return this.#db.selectFrom('callbacks').selectAll().where('paymentId', '=', paymentId).orderBy('seq').execute();
  }

  async attemptsOf(callbackId: string): Promise<CallbackAttempt[]> {
    return this.#db
      .selectFrom('callbackAttempts')
      .selectAll()
      .where('callbackId', '=', callbackId)
      .orderBy('attempt')
      .execute();
  }
}

export const callbacksStore = (db: Db, clock: SqlClock): CallbacksStore => new CallbacksStore(db, clock);
