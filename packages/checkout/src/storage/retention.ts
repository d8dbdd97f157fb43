import { sql } from 'kysely';
import { BATCH_LIMIT, inBatches } from './in-batches.ts';
import type { Db } from './open-database.ts';
import { milliseconds, type SqlClock } from './sql-clock.ts';

const DAY = 86_400_000;

/**
 * Deletes what was kept only to look into: providers' notifications that are handled, and the attempts of callbacks that are delivered
 * or dead. Payments, their history and the callbacks themselves are kept.
 *
 * @returns how many rows
 */
export async function deleteOlderThan(db: Db, clock: SqlClock, days: number): Promise<number> {
  const limit = sql`${clock()} - ${milliseconds(days * DAY)}`;
  const notifications = await inBatches(
    db,
    sql`DELETE FROM provider_notifications WHERE id IN (
      SELECT id FROM provider_notifications WHERE received_at <= ${limit} AND state <> 'received' LIMIT ${BATCH_LIMIT}::integer)`,
  );
  const attempts = await inBatches(
    db,
    sql`DELETE FROM callback_attempts WHERE (callback_id, attempt) IN (
      SELECT a.callback_id, a.attempt FROM callback_attempts a JOIN callbacks c ON c.id = a.callback_id
      WHERE a.at <= ${limit} AND c.state <> 'waiting' LIMIT ${BATCH_LIMIT}::integer)`,
  );
  return notifications + attempts;
}
