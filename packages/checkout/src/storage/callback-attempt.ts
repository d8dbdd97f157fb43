import { sql, type Expression } from 'kysely';
import { milliseconds, toJsonText, type Db, type SqlClock } from './database/sql.ts';
import type { CallbacksTable, Selectable } from './tables.ts';
import type { SentCallback } from './transition.ts';

/** The pausing rule (reference: Callback, Blocking): so many timeouts within so long pause an address for so long, for this merchant. */
const TIMEOUTS_TO_PAUSE = 5;
const TIMEOUT_WINDOW_MS = 5 * 60_000;
const PAUSE_MS = 15 * 60_000;

/**
 * An address that failed so often in a row was down, so its first success brings its waiting callbacks forward; not more often than this,
 * so that an address that mostly fails is not called all the time.
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

/** Records an attempt in one statement: its row, and its effect on the callback, on the address, and on other callbacks that wait there. */
export async function recordAttempt(
  db: Db,
  clock: SqlClock,
  callback: ClaimedCallback,
  result: AttemptResult,
): Promise<RecordedAttempt> {
  const { rows } = await attemptThatEnds(callback, result, clock()).execute(db);
  const [row] = rows;
  return {
    current: row?.current === 1,
    paused: row?.paused === 1,
    flushed: row?.flushed ?? 0,
    more: row?.more === true,
  };
}

/** Records the attempt `t`. */
const attemptThatEnds = (callback: ClaimedCallback, result: AttemptResult, now: Expression<Date>) => sql<{
  current: number;
  paused: number;
  flushed: number;
  more: boolean;
}>`
WITH t AS (
  SELECT * FROM json_to_record(${toJsonText(attemptRow(callback, result))}::text::json) AS t (
    id text, attempt integer, url text, merchant_key text, state text, status integer, error text, duration_ms integer, retry_in_ms float8,
    timed_out boolean, gone boolean)

), logged AS (
  INSERT INTO callback_attempts (callback_id, attempt, status, error, duration_ms, at)
  SELECT t.id, t.attempt, t.status, t.error, t.duration_ms, ${now} FROM t
  ON CONFLICT DO NOTHING

-- A delivery is a fact, whichever attempt reports it; any other result counts only from the newest attempt.
), changed AS (
  UPDATE callbacks c SET state = t.state, last_status = t.status, last_error = t.error, claimed_until = NULL,
    next_try_at = ${now} + make_interval(secs => t.retry_in_ms / 1000), delivered_at = CASE WHEN t.state = 'delivered' THEN ${now} END
  FROM t WHERE c.id = t.id AND c.state <> 'delivered' AND (c.attempts = t.attempt OR t.state = 'delivered')
  RETURNING c.payment_id, c.seq, c.next_try_at

-- Callbacks that wait for this one are due when it is, so that a claim does not read them while they have to wait for it.
), followers AS (
  UPDATE callbacks later SET next_try_at = changed.next_try_at FROM changed
  WHERE ${FOLLOWS}
  RETURNING later.payment_id

-- A success deletes the failures that were counted for the address. An address without failures has no row, so this locks nothing.
), was AS (
  SELECT a.merchant_key, a.url, a.failures >= ${FAILURES_TO_FLUSH}::integer
      AND (a.flushed_at IS NULL OR a.flushed_at <= ${now} - ${milliseconds(FLUSH_EVERY_MS)}) AS was_down
  FROM t JOIN callback_addresses a ON a.url = t.url AND a.merchant_key = t.merchant_key
  WHERE t.state = 'delivered' AND ${HELD_AGAINST} FOR UPDATE OF a
), recovered AS (
  UPDATE callback_addresses a SET failures = 0, timeouts = '{}', paused_until = NULL,
    flushed_at = CASE WHEN was.was_down THEN ${now} ELSE a.flushed_at END
  FROM was WHERE a.url = was.url AND a.merchant_key = was.merchant_key
), flushed AS (
  -- A try that is brought forward does not count along the plan, so that an address that comes and goes uses nothing up.
  UPDATE callbacks c SET next_try_at = ${now}, tries = greatest(c.tries - 1, 0)
  FROM (
    SELECT w.id FROM callbacks w, was
    WHERE w.url = was.url AND w.merchant_key = was.merchant_key AND was.was_down AND w.state = 'waiting' AND w.next_try_at > ${now}
      AND w.claimed_until IS NULL AND w.payment_id NOT IN (SELECT payment_id FROM changed)
    ORDER BY w.id FOR UPDATE OF w SKIP LOCKED
  ) due
  WHERE c.id = due.id RETURNING c.id

-- A failure counts for the address. This timeout, if it is one, is in excluded.timeouts; enough of them pause the address and are forgotten.
), failed AS (
  INSERT INTO callback_addresses AS a (merchant_key, url, failures, timeouts)
  SELECT t.merchant_key, t.url, 1, CASE WHEN t.timed_out THEN ARRAY[${now}] ELSE '{}' END FROM t WHERE t.state <> 'delivered'
  ON CONFLICT (merchant_key, url) DO UPDATE SET failures = a.failures + 1,
    timeouts = CASE WHEN excluded.timeouts = '{}' THEN a.timeouts WHEN ${enoughTimeouts(now)} THEN '{}' ELSE ${recentTimeouts(now)} || excluded.timeouts END,
    paused_until = CASE WHEN excluded.timeouts <> '{}' AND ${enoughTimeouts(now)} THEN ${now} + ${milliseconds(PAUSE_MS)} ELSE a.paused_until END
  RETURNING timeouts
), paused AS (
  SELECT FROM failed, t WHERE t.timed_out AND failed.timeouts = '{}'
), disabled AS (
  INSERT INTO disabled_callback_addresses (merchant_key, url, at)
  SELECT t.merchant_key, t.url, ${now} FROM t WHERE t.gone
  ON CONFLICT DO NOTHING
)
SELECT (SELECT count(*) FROM changed)::integer AS current, (SELECT count(*) FROM paused)::integer AS paused,
  (SELECT count(*) FROM flushed)::integer AS flushed, EXISTS (SELECT FROM followers) AS more`;

const recentTimeouts = (now: Expression<Date>) =>
  sql`ARRAY(SELECT o FROM unnest(a.timeouts) AS o WHERE o >= ${now} - ${milliseconds(TIMEOUT_WINDOW_MS)})`;

const enoughTimeouts = (now: Expression<Date>) =>
  sql`cardinality(${recentTimeouts(now)}) >= ${TIMEOUTS_TO_PAUSE - 1}::integer`;

/** An attempt as the row `t`. JSON leaves out undefined fields. */
const attemptRow = (callback: ClaimedCallback, { status, error, durationMs, next, address }: AttemptResult) => ({
  id: callback.id,
  attempt: callback.attempts,
  url: callback.url,
  merchant_key: callback.merchantKey,
  state: next.state,
  status,
  error,
  duration_ms: Math.round(durationMs),
  retry_in_ms: next.state === 'waiting' ? next.retryInMs : 0,
  timed_out: next.state !== 'delivered' && address === 'timed-out',
  gone: next.state !== 'delivered' && address === 'gone',
});

/**
 * One that waits for the callback `changed`. One that was tried does not: another process may be sending it, or it waits only because an
 * operator had an earlier one sent again.
 */
const FOLLOWS = sql.raw(
  `later.payment_id = changed.payment_id AND later.seq > changed.seq AND later.state = 'waiting' AND later.tries = 0`,
);

/** Failures are counted for the address of the row `a`. */
const HELD_AGAINST = sql.raw(`(a.failures > 0 OR cardinality(a.timeouts) > 0 OR a.paused_until IS NOT NULL)`);

/** A callback that was delivered, and its attempt. */
export interface Delivery {
  readonly callback: ClaimedCallback;
  readonly result: AttemptResult;
  /** The payment's next callback is claimed for so long, if it goes to the same address. Default: it is not claimed. */
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
  const recorded = await deliveriesThatEnd(deliveries, clock()).execute(db);
  return new Map(
    recorded.rows.map(({ ofCallback, more, ...next }) => [
      ofCallback,
      { current: true, paused: false, flushed: 0, more, ...(next.id !== null && { next }) },
    ]),
  );
}

/** Records deliveries. A row of `t` is one, each of another callback. */
const deliveriesThatEnd = (deliveries: readonly Delivery[], now: Expression<Date>) => sql<DeliveredRow>`
WITH t AS (
  SELECT * FROM json_to_recordset(${toJsonText(deliveries.map(deliveryRow))}::text::json) AS t (
    id text, attempt integer, url text, status integer, duration_ms integer, claim_ms float8)
  -- Of a function a server assumes a hundred rows, and reads whole tables for them; of those within two bounds one in two hundred.
  WHERE octet_length(t.id) BETWEEN 1 AND 1000

), ours AS (
  SELECT c.id FROM t JOIN callbacks c ON c.id = t.id
  WHERE c.state <> 'delivered' AND NOT EXISTS (SELECT FROM callback_addresses a WHERE a.url = t.url AND a.merchant_key = c.merchant_key AND ${HELD_AGAINST})
  ORDER BY c.id FOR UPDATE OF c SKIP LOCKED

), logged AS (
  INSERT INTO callback_attempts (callback_id, attempt, status, error, duration_ms, at)
  SELECT ours.id, t.attempt, t.status, NULL, t.duration_ms, ${now} FROM ours JOIN t ON t.id = ours.id
  ON CONFLICT DO NOTHING

), changed AS (
  UPDATE callbacks c SET state = 'delivered', last_status = t.status, last_error = NULL, claimed_until = NULL,
    next_try_at = ${now}, delivered_at = ${now}
  FROM ours JOIN t ON t.id = ours.id WHERE c.id = ours.id
  RETURNING c.id, c.payment_id, c.seq, c.next_try_at

-- The next callback of each payment, one also where several of its callbacks are delivered in this statement.
), next AS (
  SELECT DISTINCT ON (changed.payment_id) changed.payment_id, changed.id AS after_id, w.id, w.url, t.claim_ms
  FROM changed JOIN t ON t.id = changed.id CROSS JOIN LATERAL (
    SELECT w.* FROM callbacks w WHERE w.payment_id = changed.payment_id AND w.state = 'waiting' AND w.id <> changed.id ORDER BY w.seq LIMIT 1
  ) w
  WHERE t.claim_ms > 0 AND w.seq > changed.seq AND w.url = t.url
    AND NOT EXISTS (SELECT FROM disabled_callback_addresses d WHERE d.url = w.url AND d.merchant_key = w.merchant_key)
  ORDER BY changed.payment_id, changed.seq DESC

-- Callbacks that wait are due now. The next one is claimed, as every claim does it; its address is looked at again under the lock.
), followers AS (
  UPDATE callbacks later SET next_try_at = changed.next_try_at,
    attempts = later.attempts + ${IS_NEXT}::integer, tries = later.tries + ${IS_NEXT}::integer,
    claimed_until = CASE WHEN ${IS_NEXT} THEN ${now} + make_interval(secs => next.claim_ms / 1000) ELSE later.claimed_until END
  FROM changed LEFT JOIN next ON next.payment_id = changed.payment_id
  WHERE ${FOLLOWS}
  RETURNING later.*, ${IS_NEXT} AS is_next, next.after_id
)
SELECT changed.id AS of_callback, EXISTS (SELECT FROM followers f WHERE f.payment_id = changed.payment_id) AS more,
  n.id, n.payment_id, n.merchant_key, n.test, n.seq, n.url, n.content_type, n.body, n.attempts, n.tries
FROM changed LEFT JOIN followers n ON n.after_id = changed.id AND n.is_next`;

const IS_NEXT = sql.raw(`coalesce(next.id = later.id AND next.url = later.url, false)`);

/** A delivery as a row of `t`. */
const deliveryRow = ({ callback, result, claimNextMs }: Delivery) => ({
  id: callback.id,
  attempt: callback.attempts,
  url: callback.url,
  status: result.status,
  duration_ms: Math.round(result.durationMs),
  claim_ms: claimNextMs ?? 0,
});
