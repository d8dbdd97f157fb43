import type { Pause, TermsSince } from '@railyard/core/protocol';
import type { Selectable } from 'kysely';
import * as z from 'zod';
import type { Db } from './db.ts';
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

const scheduleOf = ({ historyText, pausesText, ...row }: Selectable<SchedulesTable>): Schedule => ({
  id: row.id,
  merchantKey: row.merchantKey,
  test: row.test,
  version: row.version,
  history: historySchema.parse(fromJsonText(historyText)),
  pauses: pausesSchema.parse(fromJsonText(pausesText)),
});

/** Whether a pause holds. */
export const isPaused = (pauses: readonly Pause[]): boolean => pauses.some(({ until }) => until === undefined);

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

  /** Writes what has changed on the version that was read. @returns false where another change came first */
  async change({ id, version, history, pauses }: Schedule): Promise<boolean> {
    const changed = await this.#db
      .updateTable('schedules')
      .set({
        historyText: toJsonText(history),
        pausesText: toJsonText(pauses),
        paused: isPaused(pauses),
        version: version + 1,
        updatedAt: this.#clock(),
      })
      .where('id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst();
    return changed.numUpdatedRows === 1n;
  }

  async delete({ id }: Schedule): Promise<void> {
    await this.#db.deleteFrom('schedules').where('id', '=', id).execute();
  }
}

export const schedulesStore = (db: Db, clock: SqlClock): SchedulesStore => new SchedulesStore(db, clock);
