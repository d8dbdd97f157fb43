import { type RawBuilder, sql } from 'kysely';
import { toJsonText } from './json-text.ts';
import type { Db } from './db.ts';
import type { CallbackState } from './schema/callbacks.ts';
import type { MerchantScope } from './sessions-store.ts';
import type { SqlClock } from './sql-clock.ts';

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

/** Lifts the pause of an address, and enables it again, for all merchants who use it; what waits for it is due at once. */
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

/** Turns what waits for a merchant to the address that the merchant has now, except where a payment has its own. @returns how many */
export async function readdressCallbacks(db: Db, { merchantKey, test }: MerchantScope, url: string): Promise<number> {
  const moved = await sql`
    UPDATE callbacks SET url = ${url} WHERE merchant_key = ${merchantKey} AND test = ${test}::boolean AND state = 'waiting' AND NOT own_url AND url <> ${url}`.execute(
    db,
  );
  return Number(moved.numAffectedRows ?? 0n);
}
