import { sql, type RawBuilder } from 'kysely';
import { BATCH_LIMIT, fromJsonText, milliseconds, toJsonText, type Db, type SqlClock } from './database/sql.ts';
import type { Pause, TermsSince } from '@railyard/core/protocol';
import type { SchedulesTable, Selectable } from './tables.ts';
import * as z from 'zod';
import { isReferredTo } from './database/failure.ts';
import type { MerchantScope } from './sessions.ts';

/** A schedule as it stands. */
export interface Schedule extends Pick<Selectable<SchedulesTable>, 'id' | 'merchantKey' | 'test' | 'version'> {
  /** Its terms, oldest first. */
  readonly history: readonly TermsSince[];
  /** Oldest first; the last may still hold. */
  readonly pauses: readonly Pause[];
}

/** Only texts that core has read are stored. */
const historySchema = z.custom<readonly TermsSince[]>(Array.isArray);
const pausesSchema = z.custom<readonly Pause[]>(Array.isArray);

export const pausesOf = (text: string): readonly Pause[] => pausesSchema.parse(fromJsonText(text));

type ScheduleRow = Pick<
  Selectable<SchedulesTable>,
  'id' | 'merchantKey' | 'test' | 'version' | 'historyText' | 'pausesText'
>;

export const scheduleOf = ({ historyText, pausesText, ...row }: ScheduleRow): Schedule => ({
  id: row.id,
  merchantKey: row.merchantKey,
  test: row.test,
  version: row.version,
  history: historySchema.parse(fromJsonText(historyText)),
  pauses: pausesOf(pausesText),
});

/** Whether a pause holds. */
export const isPaused = (pauses: readonly Pause[]): boolean => pauses.some(({ until }) => until === undefined);

/** The last of a part after which others may come. */
const LAST_OF_PART = sql`SELECT id FROM part ORDER BY id OFFSET ${sql.lit(BATCH_LIMIT - 1)}`;

/** Recurring schedules. */
export class SchedulesStore {
  readonly #db: Db;
  readonly #clock: SqlClock;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Stores a new schedule. An existing one stays as it is. */
  async create(id: string, { merchantKey, test }: MerchantScope, history: readonly TermsSince[]): Promise<void> {
    const now = this.#clock();
    await this.#db
      .insertInto('schedules')
      .values({
        id,
        merchantKey,
        test,
        historyText: toJsonText(history),
        pausesText: toJsonText([]),
        paused: false,
        version: 1,
        createdAt: now,
        updatedAt: now,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }

  /** The merchant's schedule. @param id a UUID */
  async find({ merchantKey, test }: MerchantScope, id: string): Promise<Schedule | undefined> {
    const row = await this.#db
      .selectFrom('schedules')
      .selectAll()
      .where('id', '=', id)
      .where('merchantKey', '=', merchantKey)
      .where('test', '=', test)
      .executeTakeFirst();
    return row && scheduleOf(row);
  }

  /**
   * Writes what has changed on the version that was read, and has its chains looked at, whose due days may be others now: some of them at once, the
   * others by `wakeSome`. A charge of any of them is decided by the new version from now on.
   *
   * @returns false where another change came first
   */
  async change({ id, version, history, pauses }: Schedule): Promise<boolean> {
    const now = this.#clock();
    const changed = await sql<{ id: string | null }>`
      WITH changed AS (
        UPDATE schedules SET history_text = ${toJsonText(history)}, pauses_text = ${toJsonText(pauses)}, paused = ${isPaused(pauses)}::boolean,
          version = ${version + 1}::integer, updated_at = ${now}
        WHERE id = ${id}::uuid AND version = ${version}::integer RETURNING id
      ), part AS MATERIALIZED (
        SELECT c.id FROM changed CROSS JOIN LATERAL (
          SELECT id FROM chains WHERE schedule_id = changed.id ORDER BY schedule_id, id LIMIT ${BATCH_LIMIT}::integer
        ) AS c
      ), woken AS (${this.#wokenPart()}), rest AS (
        INSERT INTO schedule_wakes (schedule_id, after) SELECT changed.id, last.id FROM changed, (${LAST_OF_PART}) AS last
        -- Chains that an earlier change has left out come after this one, or were looked at just now.
        ON CONFLICT (schedule_id) DO UPDATE SET after = excluded.after
      )
      SELECT id FROM changed`.execute(this.#db);
    return changed.rows.length === 1;
  }

  /** Has some more chains of a changed schedule looked at. @returns whether there may be others */
  async wakeSome(): Promise<boolean> {
    const next = await sql`
      WITH next AS MATERIALIZED (
        SELECT schedule_id, after FROM schedule_wakes ORDER BY schedule_id LIMIT 1 FOR UPDATE SKIP LOCKED
      ), part AS MATERIALIZED (
        SELECT c.id FROM next CROSS JOIN LATERAL (
          SELECT id FROM chains WHERE schedule_id = next.schedule_id AND id > next.after ORDER BY schedule_id, id LIMIT ${BATCH_LIMIT}::integer
        ) AS c
      ), woken AS (${this.#wokenPart()}), rest AS (
        UPDATE schedule_wakes w SET after = last.id FROM next, (${LAST_OF_PART}) AS last WHERE w.schedule_id = next.schedule_id
      ), over AS (
        DELETE FROM schedule_wakes w USING next WHERE w.schedule_id = next.schedule_id AND NOT EXISTS (${LAST_OF_PART})
      )
      SELECT schedule_id FROM next`.execute(this.#db);
    return next.rows.length === 1;
  }

  #wokenPart(): RawBuilder<unknown> {
    return sql`UPDATE chains c SET poll_at = ${this.#clock()}, wakes = c.wakes + 1 FROM part WHERE c.id = part.id AND c.ended_at IS NULL`;
  }

  /** @returns `used` for a schedule that payments use, because it still charges them; `gone` where another request deleted it first */
  async delete({ id }: Schedule): Promise<'deleted' | 'used' | 'gone'> {
    try {
      const { numDeletedRows } = await this.#db.deleteFrom('schedules').where('id', '=', id).executeTakeFirstOrThrow();
      return numDeletedRows === 1n ? 'deleted' : 'gone';
    } catch (error) {
      if (isReferredTo(error)) return 'used';
      throw error;
    }
  }
}

export const schedulesStore = (db: Db, clock: SqlClock): SchedulesStore => new SchedulesStore(db, clock);

/** A view of a pending payment as it was stored, and with its end moved. */
interface MovedShow {
  readonly id: string;
  readonly was: string;
  readonly text: string;
}

/** The next part of a move: the rows of these sessions. */
interface NextPart {
  readonly id: string;
  readonly byMs: string;
  readonly after: string;
  readonly ids: readonly string[];
}

/** Sessions whose rows are moved by one statement, so that no other waits long. */
const PART = 500;

/** No id is less. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

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
   * Moves a merchant's clock forward. Nothing waits less for it yet: see `moveSome`.
   *
   * @param move the id of the request; a repeat of the last one moves nothing
   * @returns how far the clock is ahead now, in milliseconds; undefined where it would be more than `most`
   */
  async advance(merchantKey: string, ms: number, move: string, most: number): Promise<number | undefined> {
    const moved = await sql<{ aheadMs: string }>`
      WITH moved AS (
        INSERT INTO test_clocks AS t (merchant_key, ahead_ms, last_move)
        SELECT ${merchantKey}, ${String(ms)}::bigint, ${move}::uuid WHERE ${String(ms)}::bigint <= ${String(most)}::bigint
        ON CONFLICT (merchant_key) DO UPDATE SET last_move = excluded.last_move,
          ahead_ms = CASE WHEN t.last_move = excluded.last_move THEN t.ahead_ms ELSE t.ahead_ms + excluded.ahead_ms END
          WHERE t.last_move = excluded.last_move OR t.ahead_ms + excluded.ahead_ms <= ${String(most)}::bigint
        RETURNING ahead_ms
      ), begun AS (
        INSERT INTO clock_moves (id, merchant_key, by_ms, after, moved_at)
        SELECT ${move}::uuid, ${merchantKey}, ${String(ms)}::bigint, ${BEFORE_ALL}::uuid, ${this.#clock()} FROM moved
        WHERE NOT EXISTS (SELECT FROM test_clocks WHERE merchant_key = ${merchantKey} AND last_move = ${move}::uuid)
        ON CONFLICT (id) DO NOTHING
      )
      SELECT ahead_ms::text FROM moved`.execute(this.#db);
    const [row] = moved.rows;
    return row && Number(row.aheadMs);
  }

  /**
   * Does a part of a move: what waits of some of the merchant's test payments becomes due earlier by as much: ends of sessions and of codes,
   * lookups, tries of callbacks. Chains of schedules are looked at anew, because their days are of the merchant's calendar. Days and times of what
   * has happened stay. Each row is moved once, also where two processes do the same part.
   *
   * @param move of one request alone; otherwise the oldest
   * @returns whether there may be more
   */
  async moveSome(move?: string): Promise<boolean> {
    const next = await this.#nextPart(move);
    if (next === undefined) return false;
    const { id, byMs, after, ids } = next;
    const last = ids.length < PART ? undefined : ids.at(-1);
    const shows = await this.#movedShows(ids, Number(byMs));
    const by = milliseconds(Number(byMs));
    // Of two that do the same part one finds where the other began.
    const isHere = sql`WHERE id = ${id}::uuid AND after = ${after}::uuid RETURNING moved_at`;
    const claim =
      last === undefined
        ? sql`DELETE FROM clock_moves ${isHere}`
        : sql`UPDATE clock_moves SET after = ${last}::uuid ${isHere}`;
    await sql`
      WITH move AS (${claim}), ours AS MATERIALIZED (
        SELECT s.id, move.moved_at FROM unnest(${ids}::uuid[]) AS s (id), move
      ), paid AS MATERIALIZED (
        SELECT p.id, ours.moved_at FROM payments p JOIN ours ON p.session_id = ours.id WHERE p.created_at <= ours.moved_at
      ), given AS MATERIALIZED (
        SELECT g.id::uuid AS id, g.was, g.text FROM json_to_recordset(${toJsonText(shows)}::json) AS g (id text, was text, text text)
      ), open_sessions AS (
        UPDATE sessions s SET expires_at = s.expires_at - ${by} FROM ours
        WHERE s.id = ours.id AND s.state = 'open' AND s.created_at <= ours.moved_at
      ), open_payments AS (
        UPDATE payments p SET poll_at = p.poll_at - ${by},
          show_text = coalesce((SELECT g.text FROM given g WHERE g.id = p.id AND g.was = p.show_text), p.show_text)
        FROM paid WHERE p.id = paid.id AND (p.poll_at IS NOT NULL OR p.state = 'pending') RETURNING p.id
      ), codes AS (
        UPDATE payment_references r SET payable_until = r.payable_until - ${by} FROM paid
        WHERE r.payment_id = paid.id AND r.payable_until IS NOT NULL AND r.created_at <= paid.moved_at
      ), changes AS (
        UPDATE modifications m SET poll_at = m.poll_at - ${by} FROM paid
        WHERE m.payment_id = paid.id AND m.poll_at IS NOT NULL AND m.created_at <= paid.moved_at
      ), reports AS (
        UPDATE callbacks c SET next_try_at = c.next_try_at - ${by} FROM paid
        WHERE c.payment_id = paid.id AND c.state = 'waiting' AND c.created_at <= paid.moved_at
      ), subscriptions AS (
        -- After the payments: a change of a payment locks its chain after it, too.
        UPDATE chains c SET poll_at = ${this.#clock()}, wakes = wakes + 1 FROM paid, (SELECT count(*) FROM open_payments) AS before
        WHERE c.id = paid.id AND c.ended_at IS NULL
      )
      SELECT FROM move`.execute(this.#db);
    return true;
  }

  async #nextPart(move: string | undefined): Promise<NextPart | undefined> {
    const found = await sql<NextPart>`
      SELECT m.id, m.by_ms::text, m.after, coalesce((SELECT json_agg(s.id ORDER BY s.id) FROM (
          SELECT id FROM sessions WHERE merchant_key = m.merchant_key AND test AND id > m.after ORDER BY id LIMIT ${PART}::integer
        ) AS s), '[]'::json) AS ids
      FROM clock_moves m ${move === undefined ? sql`` : sql`WHERE m.id = ${move}::uuid`} ORDER BY m.moved_at, m.id LIMIT 1`.execute(
      this.#db,
    );
    return found.rows[0];
  }

  /** The views that payers are shown say until when they can pay. */
  async #movedShows(sessions: readonly string[], ms: number): Promise<MovedShow[]> {
    const shown = await sql<{ id: string; was: string }>`
      SELECT p.id, p.show_text AS was FROM payments p
      WHERE p.session_id = ANY (${sessions}::uuid[]) AND p.state = 'pending' AND p.show_text IS NOT NULL`.execute(
      this.#db,
    );
    return shown.rows.flatMap(({ id, was }) => {
      const show = fromJsonText(was);
      if (typeof show !== 'object' || show === null || !('validUntil' in show)) return [];
      const validUntil = new Date(Date.parse(String(show.validUntil)) - ms).toISOString();
      return [{ id, was, text: toJsonText({ ...show, validUntil }) }];
    });
  }
}

export const testClocksStore = (db: Db, clock: SqlClock): TestClocksStore => new TestClocksStore(db, clock);
