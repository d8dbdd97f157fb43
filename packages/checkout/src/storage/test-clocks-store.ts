import { type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';
import { fromJsonText, toJsonText } from './json-text.ts';
import { milliseconds, type SqlClock } from './sql-clock.ts';

/** A view of a pending payment as it was stored, and with its end moved. */
interface MovedShow {
  readonly id: string;
  readonly was: string;
  readonly text: string;
}

/** The test clocks of merchants: how far the time of their test payments is ahead of the real one. */
export class TestClocksStore {
  readonly #db: Db;
  readonly #clock: SqlClock;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** How far a merchant's clock is ahead, in milliseconds; 0 where it was never moved. */
  async aheadMs(merchantKey: string): Promise<number> {
    const row = await this.#db
      .selectFrom('testClocks')
      .select('aheadMs')
      .where('merchantKey', '=', merchantKey)
      .executeTakeFirst();
    return Number(row?.aheadMs ?? 0);
  }

  /**
   * Moves a merchant's clock forward. Whatever waits of their test payments becomes due earlier by as much: ends of sessions and of codes,
   * lookups, tries of callbacks. Chains of schedules are looked at anew, because their days are of the merchant's calendar. Days and times of what
   * has happened stay.
   *
   * @param move the id of the request; a repeat of the last one moves nothing
   * @returns how far the clock is ahead now, in milliseconds
   */
  async advance(merchantKey: string, ms: number, move: string): Promise<number> {
    const shows = await this.#movedShows(merchantKey, ms);
    const by = milliseconds(ms);
    const isNew = sql`NOT EXISTS (SELECT FROM test_clocks WHERE merchant_key = ${merchantKey} AND last_move = ${move}::uuid)`;
    const ours = sql`SELECT id FROM sessions WHERE merchant_key = ${merchantKey} AND test AND ${isNew}`;
    const ofOurs = (id: RawBuilder<unknown>) => sql`EXISTS (SELECT FROM ours WHERE ours.id = ${id})`;
    const moved = await sql<{ aheadMs: string }>`
      WITH ours AS MATERIALIZED (${ours}), paid AS MATERIALIZED (
        SELECT id FROM payments p WHERE merchant_key = ${merchantKey} AND ${ofOurs(sql`p.session_id`)}
      ), given AS MATERIALIZED (
        SELECT g.id::uuid AS id, g.was, g.text FROM json_to_recordset(${toJsonText(shows)}::json) AS g (id text, was text, text text)
      ), open_sessions AS (
        UPDATE sessions s SET expires_at = s.expires_at - ${by} FROM ours WHERE s.id = ours.id AND s.state = 'open'
      ), open_payments AS (
        UPDATE payments p SET poll_at = p.poll_at - ${by},
          show_text = coalesce((SELECT g.text FROM given g WHERE g.id = p.id AND g.was = p.show_text), p.show_text)
        FROM paid WHERE p.id = paid.id AND (p.poll_at IS NOT NULL OR p.state = 'pending')
      ), codes AS (
        UPDATE payment_references r SET payable_until = r.payable_until - ${by} FROM paid
        WHERE r.payment_id = paid.id AND r.payable_until IS NOT NULL
      ), changes AS (
        UPDATE modifications m SET poll_at = m.poll_at - ${by} FROM paid WHERE m.payment_id = paid.id AND m.poll_at IS NOT NULL
      ), reports AS (
        UPDATE callbacks c SET next_try_at = c.next_try_at - ${by} FROM paid WHERE c.payment_id = paid.id AND c.state = 'waiting'
      ), subscriptions AS (
        UPDATE chains c SET poll_at = ${this.#clock()}, wakes = wakes + 1
        WHERE c.merchant_key = ${merchantKey} AND c.test AND c.ended_at IS NULL AND ${isNew}
      )
      INSERT INTO test_clocks AS t (merchant_key, ahead_ms, last_move) VALUES (${merchantKey}, ${String(ms)}::bigint, ${move}::uuid)
      ON CONFLICT (merchant_key) DO UPDATE SET last_move = excluded.last_move,
        ahead_ms = CASE WHEN t.last_move = excluded.last_move THEN t.ahead_ms ELSE t.ahead_ms + excluded.ahead_ms END
      RETURNING ahead_ms::text`.execute(this.#db);
    return Number(moved.rows[0]?.aheadMs);
  }

  /** The views that payers are shown say until when they can pay. */
  async #movedShows(merchantKey: string, ms: number): Promise<MovedShow[]> {
    const shown = await sql<{ id: string; was: string }>`
      SELECT p.id, p.show_text AS was FROM payments p JOIN sessions s ON s.id = p.session_id AND s.test
      WHERE p.merchant_key = ${merchantKey} AND p.state = 'pending' AND p.show_text IS NOT NULL`.execute(this.#db);
    return shown.rows.flatMap(({ id, was }) => {
      const show = fromJsonText(was);
      if (typeof show !== 'object' || show === null || !('validUntil' in show)) return [];
      const validUntil = new Date(Date.parse(String(show.validUntil)) - ms).toISOString();
      return [{ id, was, text: toJsonText({ ...show, validUntil }) }];
    });
  }
}

export const testClocksStore = (db: Db, clock: SqlClock): TestClocksStore => new TestClocksStore(db, clock);
