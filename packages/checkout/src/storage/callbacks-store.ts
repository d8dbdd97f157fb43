import { sql } from './piece.ts';
import type { Selectable } from './schema/columns.ts';
import {
  type AttemptResult,
  type ClaimedCallback,
  type Delivery,
  recordAttempt,
  recordDeliveries,
  type RecordedAttempt,
} from './callback-attempt.ts';
import {
  type CallbackFilter,
  listCallbacks,
  type ListedCallback,
  readdressCallbacks,
  replayCallbacks,
  resumeAddress,
  type ResumedAddress,
} from './callback-lists.ts';
import { openAddresses } from './callback-parts.ts';
import { toJsonText } from './json-text.ts';
import { executePlain } from './plain-statement.ts';
import type { Db } from './db.ts';
import type { CallbackAttemptsTable, CallbacksTable } from './schema/callbacks.ts';
import { milliseconds } from './sql-clock.ts';
import type { MerchantScope } from './sessions-store.ts';
import type { SqlClock } from './sql-clock.ts';
import { withOthers } from './with-others.ts';

export type Callback = Selectable<CallbacksTable>;
export type CallbackAttempt = Selectable<CallbackAttemptsTable>;

/** Callbacks to merchants, which `paymentsStore.applyTransition` writes. */
export class CallbacksStore {
  readonly #db: Db;
  readonly #clock: SqlClock;
  readonly #deliver: (delivery: Delivery) => Promise<RecordedAttempt>;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
    this.#deliver = withOthers({
      key: ({ callback }) => callback.id,
      together: (deliveries) => recordDeliveries(db, clock, deliveries),
      alone: ({ callback, result }) => recordAttempt(db, clock, callback, result),
    });
  }

  /**
   * Takes callbacks to deliver, the longest due first, each counted as an attempt. Of a payment only the first one that is still waiting is
   * due, so a merchant hears of a payment in order; a dead one blocks nothing. What goes to an address that is paused or disabled waits.
   * Those in `except` are left out, by their address or their id. Taken ones come again after `holdMs` if no result was recorded.
   * Two callers never get the same one. Each address is looked at by itself: however much waits for one that hangs, the others cost the same.
   */
  async claimDue(
    limit: number,
    holdMs: number,
    except: { readonly urls?: readonly string[]; readonly ids?: readonly string[] } = {},
  ): Promise<Callback[]> {
    const now = this.#clock();
    const isDue = sql`c.state = 'waiting' AND c.next_try_at <= ${now} AND (c.claimed_until IS NULL OR c.claimed_until <= ${now})`;
    const due = await executePlain(
      this.#db,
      sql<Callback>`
        WITH addresses AS (${openAddresses(now)}
        ), first AS MATERIALIZED (
          SELECT c.id, c.next_try_at, c.seq FROM addresses a CROSS JOIN LATERAL (
            SELECT id, next_try_at, seq FROM callbacks c
            WHERE c.url = a.url AND c.merchant_key = a.merchant_key AND ${isDue}
              AND id NOT IN (SELECT json_array_elements_text(${toJsonText(except.ids ?? [])}::json))
              AND NOT EXISTS (
                SELECT FROM callbacks earlier
                WHERE earlier.payment_id = c.payment_id AND earlier.state = 'waiting' AND earlier.seq < c.seq
              )
            ORDER BY next_try_at, seq LIMIT ${limit}::integer
          ) AS c
          WHERE a.url NOT IN (SELECT json_array_elements_text(${toJsonText(except.urls ?? [])}::json))
        ), due AS (
          -- Looked at again under the lock: another process may have claimed it since.
          SELECT c.id FROM (SELECT * FROM first ORDER BY next_try_at, seq) first CROSS JOIN LATERAL (
            SELECT id FROM callbacks c WHERE c.id = first.id AND ${isDue} FOR UPDATE SKIP LOCKED
          ) AS c LIMIT ${limit}::integer
        )
        UPDATE callbacks SET attempts = attempts + 1, tries = tries + 1, claimed_until = ${now} + ${milliseconds(holdMs)}
        FROM due WHERE callbacks.id = due.id
        RETURNING callbacks.*`,
    );
    return due.rows;
  }

  /**
   * Records how the attempt of a claimed callback ended, and what comes next.
   *
   * @param claimNextMs with a delivery, the payment's next callback is claimed for so long, under the conditions of every claim, where it goes to
   *   the same address
   */
  recordAttempt(callback: ClaimedCallback, result: AttemptResult, claimNextMs?: number): Promise<RecordedAttempt> {
    // A delivery has nothing to say but how long it took and its status.
    const isPlain = result.next.state === 'delivered' && result.error === undefined;
    if (!isPlain) return recordAttempt(this.#db, this.#clock, callback, result);
    return this.#deliver({ callback, result, ...(claimNextMs !== undefined && { claimNextMs }) });
  }

  /** Newest first. */
  list(filter: CallbackFilter, limit: number): Promise<ListedCallback[]> {
    return listCallbacks(this.#db, this.#clock, filter, limit);
  }

  /** Sends dead or delivered callbacks again, with the same id and bytes. @returns the ids of those that will be sent */
  replay(filter: CallbackFilter): Promise<string[]> {
    return replayCallbacks(this.#db, this.#clock, filter);
  }

  /** Lifts the pause of an address and enables it again; what waits for it is due at once. */
  resume(url: string): Promise<ResumedAddress> {
    return resumeAddress(this.#db, this.#clock, url);
  }

  /** Turns what waits for a merchant to another address. @returns how many */
  readdress(scope: MerchantScope, url: string): Promise<number> {
    return readdressCallbacks(this.#db, scope, url);
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
