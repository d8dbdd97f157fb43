import { sql, type Expression, type RawBuilder } from 'kysely';
import { milliseconds, toJsonText, type Db, type SqlClock } from './database/sql.ts';
import type { CallbackAttemptsTable, CallbackState, CallbacksTable, Selectable } from './tables.ts';
import type { MerchantScope } from './sessions.ts';
import {
  recordAttempt,
  recordDeliveries,
  type AttemptResult,
  type ClaimedCallback,
  type Delivery,
  type RecordedAttempt,
} from './callback-attempt.ts';
import { withOthers } from './database/shared-statements.ts';

/** The addresses of merchants for which callbacks wait and that are neither paused nor disabled, each found by one step in an index. */
export const openAddresses = (now: Expression<Date>) => sql`
  WITH RECURSIVE waited_at AS (
    (SELECT url, merchant_key FROM callbacks WHERE state = 'waiting' ORDER BY url, merchant_key LIMIT 1)
    UNION ALL
    SELECT next.url, next.merchant_key FROM waited_at a CROSS JOIN LATERAL (
      SELECT url, merchant_key FROM callbacks
      WHERE state = 'waiting' AND (url, merchant_key) > (a.url, a.merchant_key) ORDER BY url, merchant_key LIMIT 1
    ) AS next
  )
  SELECT a.url, a.merchant_key FROM waited_at a
  WHERE NOT EXISTS (SELECT FROM callback_addresses p WHERE p.url = a.url AND p.merchant_key = a.merchant_key AND p.paused_until > ${now})
    AND NOT EXISTS (SELECT FROM disabled_callback_addresses d WHERE d.url = a.url AND d.merchant_key = a.merchant_key)`;

/** Which callbacks. What is left out does not restrict. */
export interface CallbackFilter {
  readonly ids?: readonly string[];
  readonly state?: CallbackState;
  readonly merchantKey?: string;
}

/** A callback as it is listed: without its body. */
export interface ListedCallback {
  readonly id: string;
  readonly paymentId: string;
  readonly merchantKey: string;
  /** `x-payment-version`. */
  readonly seq: number;
  readonly url: string;
  readonly state: CallbackState;
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly nextTryAt: Date;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
  /** Why it waits beyond `nextTryAt`. */
  readonly held: 'paused' | 'disabled' | null;
}

export interface ResumedAddress {
  readonly wasPaused: boolean;
  /** The merchants for whom the address was disabled. */
  readonly enabledFor: readonly string[];
  /** Callbacks that are due now. */
  readonly due: number;
}

function where({ ids, state, merchantKey }: CallbackFilter): RawBuilder<unknown> {
  const all = [
    ids && sql`c.id IN (SELECT json_array_elements_text(${toJsonText(ids)}::json))`,
    state !== undefined && sql`c.state = ${state}`,
    merchantKey !== undefined && sql`c.merchant_key = ${merchantKey}`,
  ].filter((each) => typeof each === 'object');
  return all.length === 0 ? sql`true` : sql.join(all, sql` AND `);
}

/** Newest first. */
export async function listCallbacks(
  db: Db,
  clock: SqlClock,
  filter: CallbackFilter,
  limit: number,
): Promise<ListedCallback[]> {
  const listed = await sql<ListedCallback>`
    SELECT c.id, c.payment_id, c.merchant_key, c.seq, c.url, c.state, c.attempts, c.last_status, c.last_error, c.next_try_at, c.created_at,
      c.delivered_at,
      CASE WHEN c.state <> 'waiting' THEN NULL
        WHEN EXISTS (SELECT FROM disabled_callback_addresses d WHERE d.merchant_key = c.merchant_key AND d.url = c.url) THEN 'disabled'
        WHEN EXISTS (SELECT FROM callback_addresses a WHERE a.url = c.url AND a.merchant_key = c.merchant_key AND a.paused_until > ${clock()}) THEN 'paused'
      END AS held
    FROM callbacks c WHERE ${where(filter)} ORDER BY c.created_at DESC, c.id DESC LIMIT ${limit}::integer`.execute(db);
  return listed.rows;
}

/**
 * Sends callbacks again that are dead or delivered, with the same id and bytes, along the whole retry plan. Those that wait are left alone.
 *
 * @returns the ids of those that will be sent
 */
export async function replayCallbacks(db: Db, clock: SqlClock, filter: CallbackFilter): Promise<string[]> {
  const now = clock();
  const replayed = await sql<{ id: string }>`
    UPDATE callbacks c SET state = 'waiting', tries = 0, delivered_at = NULL, next_try_at = ${now}
    WHERE c.state <> 'waiting' AND ${where(filter)} RETURNING c.id`.execute(db);
  return replayed.rows.map(({ id }) => id);
}

/** Lifts the pause of an address, and enables it again, for all merchants who use it. Its waiting callbacks are due at once. */
export async function resumeAddress(db: Db, clock: SqlClock, url: string): Promise<ResumedAddress> {
  const now = clock();
  const resumed = await sql<{ wasPaused: boolean; enabledFor: string[]; due: number }>`
    WITH lifted AS (
      UPDATE callback_addresses a SET paused_until = NULL, timeouts = '{}', failures = 0
      FROM (SELECT merchant_key, url, coalesce(paused_until > ${now}, false) AS was_paused FROM callback_addresses WHERE url = ${url} FOR UPDATE) AS was
      WHERE a.url = was.url AND a.merchant_key = was.merchant_key RETURNING was.was_paused
    ), enabled AS (
      DELETE FROM disabled_callback_addresses WHERE url = ${url} RETURNING merchant_key
    ), due AS (
      UPDATE callbacks c SET next_try_at = least(c.next_try_at, ${now})
      FROM (
        SELECT w.id FROM callbacks w WHERE w.url = ${url} AND w.state = 'waiting' AND w.claimed_until IS NULL
        ORDER BY w.id FOR UPDATE SKIP LOCKED
      ) waiting
      WHERE c.id = waiting.id RETURNING c.id
    )
    SELECT coalesce((SELECT bool_or(was_paused) FROM lifted), false) AS was_paused,
      coalesce((SELECT json_agg(merchant_key ORDER BY merchant_key) FROM enabled), '[]'::json) AS enabled_for,
      (SELECT count(*) FROM due)::integer AS due`.execute(db);
  return resumed.rows[0] ?? { wasPaused: false, enabledFor: [], due: 0 };
}

/** Sends a merchant's waiting callbacks to the merchant's current address, except for payments with their own address. @returns how many */
export async function readdressCallbacks(db: Db, { merchantKey, test }: MerchantScope, url: string): Promise<number> {
  const moved = await sql`
    UPDATE callbacks SET url = ${url} WHERE merchant_key = ${merchantKey} AND test = ${test}::boolean AND state = 'waiting' AND NOT own_url AND url <> ${url}`.execute(
    db,
  );
  return Number(moved.numAffectedRows ?? 0n);
}

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
   * Takes callbacks to deliver, the longest due first, each counted as an attempt. Of a payment only the first waiting callback is
   * due, so a merchant hears of a payment in order; a dead one blocks nothing. What goes to an address that is paused or disabled waits.
   * Those in `except` are left out, by their address or their id. Taken ones come again after `holdMs` if no result was recorded.
   * Two callers never get the same callback. Each address is looked at by itself: however much waits for a hanging address, the others cost the same.
   */
  async claimDue(
    limit: number,
    holdMs: number,
    except: { readonly urls?: readonly string[]; readonly ids?: readonly string[] } = {},
  ): Promise<Callback[]> {
    const now = this.#clock();
    const isDue = sql`c.state = 'waiting' AND c.next_try_at <= ${now} AND (c.claimed_until IS NULL OR c.claimed_until <= ${now})`;
    const due = await sql<Callback>`
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
        RETURNING callbacks.*`.execute(this.#db);
    return due.rows;
  }

  /**
   * Records how the attempt of a claimed callback ended, and the next step.
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

  /** Sends dead or delivered callbacks again, with the same id and bytes. @returns the ids of the callbacks that will be sent */
  replay(filter: CallbackFilter): Promise<string[]> {
    return replayCallbacks(this.#db, this.#clock, filter);
  }

  /** Lifts the pause of an address and enables it again. Its waiting callbacks are due at once. */
  resume(url: string): Promise<ResumedAddress> {
    return resumeAddress(this.#db, this.#clock, url);
  }

  /** Sends a merchant's waiting callbacks to another address. @returns how many */
  readdress(scope: MerchantScope, url: string): Promise<number> {
    return readdressCallbacks(this.#db, scope, url);
  }

  async find(id: string): Promise<Callback | undefined> {
    return this.#db.selectFrom('callbacks').selectAll().where('id', '=', id).executeTakeFirst();
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
