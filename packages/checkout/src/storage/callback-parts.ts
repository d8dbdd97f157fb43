import { type Piece, sql } from './piece.ts';
import type { Selectable } from './schema/columns.ts';
import type { RowValues } from './row-values.ts';
import type { CallbacksTable } from './schema/callbacks.ts';

/** A callback to the merchant, which is written with the change that it reports. */
export interface NewCallback {
  /** It stays the same over all attempts. */
  readonly id: string;
  readonly url: string;
  /** The address is this payment's own: it does not follow the merchant's. */
  readonly ownUrl?: boolean;
  readonly contentType: string;
  /** Sent as it is. */
  readonly body: string;
}

/** A callback as it is sent. */
export type SentCallback = Pick<
  Selectable<CallbacksTable>,
  'id' | 'paymentId' | 'merchantKey' | 'test' | 'seq' | 'url' | 'contentType' | 'body' | 'attempts' | 'tries'
>;

/**
 * Inserts the callbacks of the payment `changed`, in this order.
 *
 * @param claimMs the first one is the writer's to send and claimed for so long, under the conditions of every claim: nothing of the payment waits
 *   before it, and its address is neither paused nor disabled. Unless given, a poll finds it. Behind one that waits they are due when that one is.
 */
export function insertCallbacks(
  callbacks: readonly NewCallback[],
  claimMs: number | undefined,
  row: RowValues,
  now: Piece<Date>,
): Piece<unknown> {
  const [first] = callbacks;
  if (first === undefined)
    return sql`SELECT NULL::uuid AS payment_id, NULL::integer AS seq, NULL::boolean AS test, NULL::timestamptz AS claimed_until WHERE false`;
  const rows = callbacks.map((callback, index) => ({ ownUrl: false, ...callback, position: index + 1 }));
  const url = row.of('text', first.url);
  const of = row.joined(sql`changed.id`);
  // One statement, whether it claims or not: servers keep its plan, and tests know it.
  const mine = sql`SELECT changed.id AS payment_id, ${row.of('boolean', claimMs !== undefined)} AND e.next_try_at IS NULL
      AND NOT EXISTS (SELECT FROM callback_addresses a WHERE a.url = ${url} AND a.merchant_key = changed.merchant_key AND a.paused_until > ${now})
      AND NOT EXISTS (SELECT FROM disabled_callback_addresses d WHERE d.url = ${url} AND d.merchant_key = changed.merchant_key) AS is_mine,
      EXISTS (SELECT FROM sessions s WHERE s.id = changed.session_id AND s.test) AS test, greatest(e.next_try_at, ${now}) AS next_try_at
    FROM changed ${of}
      CROSS JOIN LATERAL (SELECT max(next_try_at) AS next_try_at FROM callbacks w WHERE w.payment_id = changed.id AND w.state = 'waiting') e`;
  const isMine = sql`(c.position = 1 AND mine.is_mine)`;
  const claimedFor = sql`make_interval(secs => ${row.of('double precision', claimMs ?? 0)} / 1000)`;
  return sql`
      WITH mine AS MATERIALIZED (${mine})
      INSERT INTO callbacks (id, payment_id, merchant_key, seq, url, own_url, content_type, body, next_try_at, created_at, test,
        attempts, tries, claimed_until)
      SELECT c.id, changed.id, changed.merchant_key, changed.callbacks - ${row.of('integer', rows.length)} + c.position, c.url, c."ownUrl",
        c."contentType", c.body, mine.next_try_at, ${now}, mine.test,
        ${isMine}::integer, ${isMine}::integer, CASE WHEN ${isMine} THEN ${now} + ${claimedFor} END
      FROM changed ${of} JOIN mine ON mine.payment_id = changed.id CROSS JOIN LATERAL json_to_recordset(${row.of('json', rows)})
        AS c (id text, url text, "ownUrl" boolean, "contentType" text, body text, position integer)
      RETURNING payment_id, seq, test, claimed_until`;
}

/** The addresses of merchants for which callbacks wait and that are neither paused nor disabled, each found by one step in an index. */
export const openAddresses = (now: Piece<Date>): Piece<unknown> => sql`
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

/** Of the claimed callback that `insertCallbacks` returned for the payment `changed`, if any: its number and whether it is one of a test, as JSON. */
export const claimedCallback = sql`(SELECT json_build_object('seq', o.seq, 'test', o.test) FROM outbox o
  WHERE o.payment_id = changed.id AND o.claimed_until IS NOT NULL)`;
