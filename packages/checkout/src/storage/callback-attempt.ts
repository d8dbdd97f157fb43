import { type Piece, sql } from './database/sql.ts';
import type { Selectable } from './tables.ts';
import type { SentCallback } from './transition.ts';
import { executePlain } from './database/sql.ts';
import type { Db } from './database/sql.ts';
import type { CallbacksTable } from './tables.ts';
import { givenRows, rowColumns } from './database/many-rows.ts';
import { milliseconds } from './database/sql.ts';
import type { SqlClock } from './database/sql.ts';

/** The pausing rule (reference: Callback, Blocking): so many timeouts within so long pause an address for so long, for this merchant. */
const TIMEOUTS_TO_PAUSE = 5;
const TIMEOUT_WINDOW_MS = 5 * 60_000;
const PAUSE_MS = 15 * 60_000;

/**
 * An address that failed so often in a row was down, so its first success brings forward what waits for it; not more often than this,
 * so that one that mostly fails is not asked all the time.
 */
const FAILURES_TO_FLUSH = 3;
const FLUSH_EVERY_MS = 60_000;

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
  /** The attempt's result for the address; `failed` unless it was delivered. `gone` disables it for this merchant. */
  readonly address?: 'timed-out' | 'gone';
}

export interface RecordedAttempt {
  /** Whether this attempt decided; not if the callback was claimed again meanwhile. */
  readonly current: boolean;
  /** It was the timeout that paused the address. */
  readonly paused: boolean;
  /** How many callbacks that waited for this address are due now, because it works again. */
  readonly flushed: number;
  /** The payment has a later callback that waits for this one. */
  readonly more: boolean;
  /** The next callback of the payment, claimed with the delivery of this one. */
  readonly next?: SentCallback;
}

/** The callback that an attempt is recorded for. */
export type ClaimedCallback = Pick<Selectable<CallbacksTable>, 'id' | 'attempts' | 'url' | 'merchantKey'>;

/** Records an attempt with its row, what it means for the callback, for its address, and for what else waits there: one statement. */
export async function recordAttempt(
  db: Db,
  clock: SqlClock,
  callback: ClaimedCallback,
  result: AttemptResult,
): Promise<RecordedAttempt> {
  const now = clock();
  const { state } = result.next;
  const retryInMs = result.next.state === 'waiting' ? result.next.retryInMs : 0;
  const status = result.status ?? null;
  const error = result.error ?? null;
  const { id, attempts } = callback;
  const address = state === 'delivered' ? recovery(callback, now) : failure(callback, result, now);
  // A delivery is a fact, whichever attempt reports it; any other result counts only from the newest attempt.
  const recorded = await executePlain(
    db,
    sql<{ current: number; paused: number; flushed: number; more: boolean }>`
    WITH logged AS (
      INSERT INTO callback_attempts (callback_id, attempt, status, error, duration_ms, at)
      VALUES (${id}, ${attempts}::integer, ${status}::integer, ${error}, ${Math.round(result.durationMs)}::integer, ${now})
      ON CONFLICT DO NOTHING
    ), changed AS (
      UPDATE callbacks SET state = ${state}, last_status = ${status}::integer, last_error = ${error}, claimed_until = NULL,
        next_try_at = ${now} + ${milliseconds(retryInMs)}, delivered_at = CASE WHEN ${state} = 'delivered' THEN ${now} END
      WHERE id = ${id} AND state <> 'delivered' AND (attempts = ${attempts}::integer OR ${state} = 'delivered')
      RETURNING payment_id, seq, next_try_at
    ), followers AS (${followers}
    ), ${address}
    SELECT (SELECT count(*) FROM changed)::integer AS current, (SELECT count(*) FROM paused)::integer AS paused,
      (SELECT count(*) FROM flushed)::integer AS flushed, EXISTS (SELECT FROM followers) AS more`,
  );
  const [row] = recorded.rows;
  return {
    current: row?.current === 1,
    paused: row?.paused === 1,
    flushed: row?.flushed ?? 0,
    more: row?.more === true,
  };
}

/**
 * One that waits for the callback `changed`. One that was tried does not: another process may be sending it, or it waits only because an
 * operator had an earlier one sent again.
 */
const follows = sql`later.payment_id = changed.payment_id AND later.seq > changed.seq AND later.state = 'waiting' AND later.tries = 0`;

/** Those that wait for the callback `changed` are due when it is, so that a claim does not read them while they have to wait for it. */
const followers = sql`
      UPDATE callbacks later SET next_try_at = changed.next_try_at FROM changed
      WHERE ${follows}
      RETURNING later.payment_id`;

/** The same, of which the one `next` is claimed, as every claim does it. Its address is looked at again under the lock. */
function followersAndNext(now: Piece<Date>): Piece<unknown> {
  const isNext = sql`coalesce(next.id = later.id AND next.url = later.url, false)`;
  return sql`
      UPDATE callbacks later SET next_try_at = changed.next_try_at,
        attempts = later.attempts + ${isNext}::integer, tries = later.tries + ${isNext}::integer,
        claimed_until = CASE WHEN ${isNext} THEN ${now} + make_interval(secs => next.claim_ms / 1000) ELSE later.claimed_until END
      FROM changed LEFT JOIN next ON next.payment_id = changed.payment_id
      WHERE ${follows}
      RETURNING later.*, ${isNext} AS is_next, next.after_id`;
}

/** Something is held against the address of the row `a`. */
const heldAgainst = sql`(a.failures > 0 OR cardinality(a.timeouts) > 0 OR a.paused_until IS NOT NULL)`;

/** A callback that was delivered, and its attempt. */
export interface Delivery {
  readonly callback: ClaimedCallback;
  readonly result: AttemptResult;
  /** The payment's next callback is claimed for so long, where it goes to the same address; unless given, it is not. */
  readonly claimNextMs?: number;
}

type DeliveredRow = { readonly ofCallback: string; readonly more: boolean } & (
  | SentCallback
  | { readonly [K in keyof SentCallback]: null }
);

/**
 * Records deliveries of several callbacks in one statement, and claims the next one of each payment. A callback that is locked just now is left
 * out, and so is one to an address against which something is held.
 *
 * @returns by callback; where there is none, nothing was done
 */
export async function recordDeliveries(
  db: Db,
  clock: SqlClock,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<string, RecordedAttempt>> {
  const now = clock();
  const given = deliveries.map(({ callback, result, claimNextMs }) => {
    const row = rowColumns(callback.id);
    const url = row.of('text', callback.url);
    const attempt = row.of('integer', callback.attempts);
    const status = row.of('integer', result.status ?? null);
    const duration = row.of('integer', Math.round(result.durationMs));
    return { row, url, attempt, status, duration, claimMs: row.of('double precision', claimNextMs ?? 0) };
  });
  const [first] = given;
  if (first === undefined) return new Map();
  const { url, attempt, status, duration, claimMs } = first;
  const recorded = await executePlain(
    db,
    sql<DeliveredRow>`
    WITH given AS (${givenRows(
      'text',
      given.map(({ row }) => row),
    )}), ours AS (
      SELECT c.id FROM given g JOIN callbacks c ON c.id = g.key
      WHERE c.state <> 'delivered' AND NOT EXISTS (SELECT FROM callback_addresses a WHERE a.url = ${url} AND a.merchant_key = c.merchant_key AND ${heldAgainst})
      ORDER BY c.id FOR UPDATE OF c SKIP LOCKED
    ), logged AS (
      INSERT INTO callback_attempts (callback_id, attempt, status, error, duration_ms, at)
      SELECT ours.id, ${attempt}, ${status}, NULL, ${duration}, ${now} FROM ours JOIN given g ON g.key = ours.id
      ON CONFLICT DO NOTHING
    ), changed AS (
      UPDATE callbacks c SET state = 'delivered', last_status = ${status}, last_error = NULL, claimed_until = NULL,
        next_try_at = ${now}, delivered_at = ${now}
      FROM ours JOIN given g ON g.key = ours.id WHERE c.id = ours.id
      RETURNING c.id, c.payment_id, c.seq, c.next_try_at
    ), next AS (
      -- One of each payment, also where several of its callbacks are delivered in this statement.
      SELECT DISTINCT ON (changed.payment_id) changed.payment_id, changed.id AS after_id, w.id, w.url, ${claimMs} AS claim_ms
      FROM changed JOIN given g ON g.key = changed.id CROSS JOIN LATERAL (
        SELECT w.* FROM callbacks w WHERE w.payment_id = changed.payment_id AND w.state = 'waiting' AND w.id <> changed.id ORDER BY w.seq LIMIT 1
      ) w
      WHERE ${claimMs} > 0 AND w.seq > changed.seq AND w.url = ${url}
        AND NOT EXISTS (SELECT FROM disabled_callback_addresses d WHERE d.url = w.url AND d.merchant_key = w.merchant_key)
      ORDER BY changed.payment_id, changed.seq DESC
    ), followers AS (${followersAndNext(now)})
    SELECT changed.id AS of_callback, EXISTS (SELECT FROM followers f WHERE f.payment_id = changed.payment_id) AS more,
      n.id, n.payment_id, n.merchant_key, n.test, n.seq, n.url, n.content_type, n.body, n.attempts, n.tries
    FROM changed LEFT JOIN followers n ON n.after_id = changed.id AND n.is_next`,
  );
  return new Map(
    recorded.rows.map(({ ofCallback, more, ...next }) => [
      ofCallback,
      { current: true, paused: false, flushed: 0, more, ...(next.id !== null && { next }) },
    ]),
  );
}

/** A success forgets what was held against the address. One that never failed has no row, so this locks nothing. */
function recovery({ url, merchantKey }: ClaimedCallback, now: Piece<Date>): Piece<unknown> {
  const wasDown = sql`was.failures >= ${FAILURES_TO_FLUSH}::integer
    AND (was.flushed_at IS NULL OR was.flushed_at <= ${now} - ${milliseconds(FLUSH_EVERY_MS)})`;
  return sql`
    was AS (
      SELECT a.merchant_key, a.url, a.failures, a.flushed_at FROM callback_addresses a
      WHERE a.url = ${url} AND a.merchant_key = ${merchantKey} AND ${heldAgainst} FOR UPDATE
    ), recovered AS (
      UPDATE callback_addresses a SET failures = 0, timeouts = '{}', paused_until = NULL,
        flushed_at = CASE WHEN ${wasDown} THEN ${now} ELSE a.flushed_at END
      FROM was WHERE a.url = was.url AND a.merchant_key = was.merchant_key
    ), flushed AS (
      -- A try that is brought forward does not count along the plan, so that an address that comes and goes uses nothing up.
      UPDATE callbacks c SET next_try_at = ${now}, tries = greatest(c.tries - 1, 0)
      FROM (
        SELECT w.id FROM callbacks w, was
        WHERE w.url = was.url AND w.merchant_key = was.merchant_key AND ${wasDown} AND w.state = 'waiting' AND w.next_try_at > ${now} AND w.claimed_until IS NULL
          AND w.payment_id NOT IN (SELECT payment_id FROM changed)
        ORDER BY w.id FOR UPDATE OF w SKIP LOCKED
      ) due
      WHERE c.id = due.id RETURNING c.id
    ), paused AS (SELECT NULL WHERE false)`;
}

function failure({ url, merchantKey }: ClaimedCallback, result: AttemptResult, now: Piece<Date>): Piece<unknown> {
  const timedOut = result.address === 'timed-out';
  const recent = sql`ARRAY(SELECT t FROM unnest(a.timeouts) AS t WHERE t >= ${now} - ${milliseconds(TIMEOUT_WINDOW_MS)})`;
  const enough = sql`${timedOut}::boolean AND cardinality(${recent}) >= ${TIMEOUTS_TO_PAUSE - 1}::integer`;
  const timeouts = timedOut ? sql`CASE WHEN ${enough} THEN '{}' ELSE ${recent} || ${now} END` : sql`a.timeouts`;
  const gone = sql`
    INSERT INTO disabled_callback_addresses (merchant_key, url, at) VALUES (${merchantKey}, ${url}, ${now}) ON CONFLICT DO NOTHING`;
  return sql`
    failed AS (
      INSERT INTO callback_addresses AS a (merchant_key, url, failures, timeouts)
      VALUES (${merchantKey}, ${url}, 1, ${timedOut ? sql`ARRAY[${now}]` : sql`'{}'`})
      ON CONFLICT (merchant_key, url) DO UPDATE SET failures = a.failures + 1, timeouts = ${timeouts},
        paused_until = CASE WHEN ${enough} THEN ${now} + ${milliseconds(PAUSE_MS)} ELSE a.paused_until END
      RETURNING timeouts
    ), paused AS (SELECT FROM failed WHERE ${timedOut}::boolean AND cardinality(timeouts) = 0
    ), ${result.address === 'gone' ? sql`disabled AS (${gone}),` : sql``}
    flushed AS (SELECT NULL WHERE false)`;
}
