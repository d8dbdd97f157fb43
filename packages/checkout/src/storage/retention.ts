import { type RawBuilder, sql } from 'kysely';
import type { Db } from './open-database.ts';
import { milliseconds, type SqlClock } from './sql-clock.ts';

const DAY = 86_400_000;
/** In one statement, so that no other waits long. */
const LIMIT = 1000;

/**
 * Deletes what was kept only to look into: providers' notifications that are handled, and the attempts of callbacks that are delivered
 * or dead. Payments, their history and the callbacks themselves are kept.
 *
 * @returns how many rows
 */
export async function deleteOlderThan(db: Db, clock: SqlClock, days: number): Promise<number> {
  const limit = sql`${clock()} - ${milliseconds(days * DAY)}`;
  const notifications = await deleteAll(
    db,
    sql`DELETE FROM provider_notifications WHERE id IN (
      SELECT id FROM provider_notifications WHERE received_at <= ${limit} AND state <> 'received' LIMIT ${LIMIT}::integer)`,
  );
  const attempts = await deleteAll(
    db,
    sql`DELETE FROM callback_attempts WHERE (callback_id, attempt) IN (
      SELECT a.callback_id, a.attempt FROM callback_attempts a JOIN callbacks c ON c.id = a.callback_id
      WHERE a.at <= ${limit} AND c.state <> 'waiting' LIMIT ${LIMIT}::integer)`,
  );
  return notifications + attempts;
}

async function deleteAll(db: Db, statement: RawBuilder<unknown>): Promise<number> {
  let count = 0;
  for (;;) {
    const gone = Number((await statement.execute(db)).numAffectedRows ?? 0n);
    count += gone;
    if (gone < LIMIT) return count;
  }
}
