import type { Pause, TermsSince } from '@railyard/core/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { Selectable } from './schema/columns.ts';
import * as z from 'zod';
import { isReferredTo } from './database-failure.ts';
import type { Db } from './db.ts';
import { BATCH_LIMIT } from './in-batches.ts';
import { fromJsonText, toJsonText } from './json-text.ts';
import type { SchedulesTable } from './schema/schedules.ts';
import type { MerchantScope } from './sessions-store.ts';
import type { SqlClock } from './sql-clock.ts';

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

  /** Stores a new schedule; one that is there stays as it is. */
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

  /** @returns false for one that payments use: their charges go on by it */
  async delete({ id }: Schedule): Promise<boolean> {
    try {
      await this.#db.deleteFrom('schedules').where('id', '=', id).execute();
      return true;
    } catch (error) {
      if (isReferredTo(error)) return false;
      throw error;
    }
  }
}

export const schedulesStore = (db: Db, clock: SqlClock): SchedulesStore => new SchedulesStore(db, clock);
