import { sql } from 'kysely';
import type { Db } from './open-database.ts';
import type { SqlClock } from './sql-clock.ts';

/**
 * Lets go of everything that somebody was at work on: runs being driven, callbacks being sent, notifications being handled. All
 * of it is due at once. Only for who has the database to himself: with several processes each hold runs out by its time.
 */
export async function releaseHolds(db: Db, clock: SqlClock): Promise<void> {
  const now = clock();
  await sql`UPDATE flow_runs SET lease_until = ${now} WHERE state = 'running' AND lease_until > ${now}`.execute(db);
  // A callback whose newest attempt has a result waits for its next try; the others were being sent.
  await sql`
    UPDATE callbacks c SET next_try_at = ${now}
    WHERE state = 'waiting' AND next_try_at > ${now} AND attempts > 0 AND NOT EXISTS (
      SELECT FROM callback_attempts a WHERE a.callback_id = c.id AND a.attempt = c.attempts
    )`.execute(db);
  await sql`UPDATE provider_notifications SET next_try_at = ${now} WHERE state = 'received' AND next_try_at > ${now}`.execute(
    db,
  );
}
