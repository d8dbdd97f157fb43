import { sql } from 'kysely';
import type { Db } from './db.ts';
import { CHAIN_HOLD_MS } from './chains-store.ts';
import { milliseconds, type SqlClock } from './sql-clock.ts';

/**
 * Releases everything that a former process was at work on: runs being executed, callbacks being sent, notifications and
 * repeatable requests being handled, chains being looked at. All of it is due at once. Only for a process that has the database to itself: with several
 * processes each hold runs out by its time.
 */
export async function releaseHolds(db: Db, clock: SqlClock): Promise<void> {
  const now = clock();
  await sql`UPDATE flow_runs SET lease_owner = NULL, lease_until = ${now} WHERE state = 'running' AND lease_owner IS NOT NULL`.execute(
    db,
  );
  await sql`UPDATE callbacks SET claimed_until = NULL WHERE state = 'waiting' AND claimed_until > ${now}`.execute(db);
  await sql`UPDATE provider_notifications SET next_try_at = ${now} WHERE state = 'received' AND next_try_at > ${now}`.execute(
    db,
  );
  await sql`UPDATE idempotency_keys SET held_until = ${now} WHERE status IS NULL AND held_until > ${now}`.execute(db);
  // A chain that is due within a hold anyway comes a little early, and nothing is due then.
  await sql`UPDATE chains SET poll_at = ${now} WHERE poll_at > ${now} AND poll_at <= ${now} + ${milliseconds(CHAIN_HOLD_MS)}`.execute(
    db,
  );
}
