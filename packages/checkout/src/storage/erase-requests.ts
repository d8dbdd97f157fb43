import { type Expression, sql } from 'kysely';
import { BATCH_LIMIT } from './in-batches.ts';
import { toJsonText } from './json-text.ts';
import type { Db } from './db.ts';
import type { Session } from './sessions-store.ts';

/** The rest of a session's request after erasure, sealed; `undefined`: the request cannot be read. */
export type LeftOfRequest = (session: Session) => string | undefined;

const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Leaves of the requests that are due what `leftOf` says, and takes what is personal out of their payments. A request is sealed, so each is
 * read; one that cannot be read stays as it is.
 *
 * @param due sessions, by `id`
 * @returns how many sessions
 */
export async function eraseRequests(
  db: Db,
  due: Expression<unknown>,
  now: Expression<unknown>,
  leftOf: LeftOfRequest,
): Promise<number> {
  let count = 0;
  let after: string | undefined = FIRST;
  while (after !== undefined) {
    const batch: { readonly rows: readonly Session[] } = await sql<Session>`
      SELECT s.* FROM sessions s JOIN (${due}) d ON d.id = s.id WHERE s.id > ${after}::uuid
      ORDER BY s.id LIMIT ${BATCH_LIMIT}::integer`.execute(db);
    const left = batch.rows.flatMap((session) => {
      const text = leftOf(session);
      return text === undefined ? [] : [{ id: session.id, text }];
    });
    if (left.length > 0) count += await erase(db, left, due, now);
    after = batch.rows.length < BATCH_LIMIT ? undefined : batch.rows.at(-1)?.id;
  }
  return count;
}

/** One statement, which looks once more whether they are due. */
async function erase(
  db: Db,
  left: readonly { readonly id: string; readonly text: string }[],
  due: Expression<unknown>,
  now: Expression<unknown>,
): Promise<number> {
  const erased = await sql<{ count: number }>`
    WITH given AS MATERIALIZED (
      SELECT g.id::uuid AS id, g.text FROM json_to_recordset(${toJsonText(left)}::json) AS g (id text, text text)
      JOIN (${due}) d ON d.id = g.id::uuid
    ), erased AS (
      UPDATE sessions s SET request_text = g.text, erased_at = ${now} FROM given g WHERE s.id = g.id RETURNING s.id
    ), paid AS (
      UPDATE payments p SET payer_ip = NULL, show_text = NULL, agreement_text = '{}', connector_state_text = '{}', recurring_token = NULL, provider_message = NULL,
        card_id = NULL, payee_card_id = NULL, erased_at = ${now}
      FROM given g WHERE p.session_id = g.id
    ), acted AS (
      UPDATE modifications a SET provider_message = NULL FROM payments p, given g
      WHERE a.payment_id = p.id AND p.session_id = g.id AND a.provider_message IS NOT NULL
    ), cards_gone AS (
      DELETE FROM cards c USING payments p, given g
      WHERE p.session_id = g.id AND (c.id = p.card_id OR c.id = p.payee_card_id)
        AND NOT EXISTS (SELECT FROM card_tokens t WHERE t.card_id = c.id)
        AND NOT EXISTS (SELECT FROM payments o WHERE (o.card_id = c.id OR o.payee_card_id = c.id)
          AND NOT EXISTS (SELECT FROM given WHERE given.id = o.session_id))
    )
    SELECT count(*)::integer AS count FROM erased`.execute(db);
  return erased.rows[0]?.count ?? 0;
}
