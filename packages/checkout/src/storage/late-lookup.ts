import { sql } from 'kysely';
import type { Db } from './db.ts';
import { milliseconds, type SqlClock } from './sql-clock.ts';

const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
/** Lookups that hints about one ended payment lead to, in a day. */
const HINTS_A_DAY = 24;

/**
 * Has the provider asked about a payment that has ended, because a hint says that something changed: late money is found so. Anybody can send
 * hints, so that one payment is asked about so many times a day, and the ended payments of one MID are asked about one a second. The
 * bounds stand in the database: they hold over restarts and for all processes together.
 */
export async function scheduleLateLookup(db: Db, clock: SqlClock, paymentId: string): Promise<void> {
  const now = clock();
  const day = sql`${now} - ${milliseconds(DAY)}`;
  const soon = sql`${now} + ${milliseconds(SECOND)}`;
  await sql`
    UPDATE payments p SET
      poll_at = greatest(${soon}, (SELECT max(o.poll_at) + ${milliseconds(SECOND)} FROM payments o
        WHERE o.mid_id = p.mid_id AND o.poll_at IS NOT NULL AND o.state NOT IN ('created', 'pending', 'partially_approved'))),
      hints = CASE WHEN p.hinted_since > ${day} THEN p.hints + 1 ELSE 1 END,
      hinted_since = CASE WHEN p.hinted_since > ${day} THEN p.hinted_since ELSE ${now} END
    WHERE p.id = ${paymentId}::uuid AND p.poll_at IS NULL AND p.state NOT IN ('created', 'pending', 'partially_approved')
      AND (p.hinted_since IS NULL OR p.hinted_since <= ${day} OR p.hints < ${HINTS_A_DAY}::integer)`.execute(db);
}
