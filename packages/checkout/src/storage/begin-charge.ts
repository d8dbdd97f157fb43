import type { Day } from '@railyard/core/protocol';
import { sql } from 'kysely';
import type { Db } from './db.ts';
import { insertPayment, type NewPayment, type StartedPayment } from './insert-payment.ts';
import { milliseconds, type SqlClock } from './sql-clock.ts';
import type { NewSession } from './sessions-store.ts';

/** The due day of a chain, and what its schedule was when it was decided about it. */
export interface DueDay {
  readonly mandateId: string;
  readonly day: Day;
  readonly scheduleVersion: number;
  /** The day on which it is charged. */
  readonly today: Day;
}

/** Undoes a transaction in which a charge cannot begin. */
class NotBegunError extends Error {
  override readonly name = 'NotBegunError';
}

/**
 * Begins the charge of a due day: its day, session and payment, all or nothing. Schedule and chain are held meanwhile, so that no charge begins
 * once a pause, a change or an end of them was acknowledged. The day is the key: of any number of processes one begins it. The duplicate window is
 * for requests, and is neither asked nor armed.
 *
 * @returns undefined where it was begun before, or may not begin any more: it is decided again
 */
export async function beginCharge(
  db: Db,
  clock: SqlClock,
  due: DueDay,
  session: NewSession,
  payment: NewPayment,
): Promise<StartedPayment | undefined> {
  return begun(db, async (trx) => {
    await holdChain(trx, due);
    const { mandateId, day, today } = due;
    const now = clock();
    const stored = await sql<{ day: string }>`
      INSERT INTO due_days (mandate_id, day, state, charge_id, first_tried, last_tried, at)
      VALUES (${mandateId}::uuid, ${day}, 'begun', ${payment.id}::uuid, ${today}, ${today}, ${now})
      ON CONFLICT (mandate_id, day) DO NOTHING RETURNING day`.execute(trx);
    if (stored.rows.length === 0) throw new NotBegunError();
    await sql`
      INSERT INTO sessions (id, merchant_key, operation, order_number, token_hash, request_text, hash_dialect, hash_digest, test,
        payer_presence, created_at, expires_at)
      VALUES (${session.id}::uuid, ${session.merchantKey}, ${session.operation}, ${session.orderNumber}, ${session.tokenHash},
        ${session.requestText}, ${session.hashDialect}, ${session.hashDigest}, ${session.test}::boolean, ${session.payerPresence}, ${now},
        ${now} + ${milliseconds(session.lifetimeMinutes * 60_000)})`.execute(trx);
    return insertPayment(trx, clock, payment);
  });
}

/**
 * Tries a softly declined charge again, see `beginCharge`. Of several tries for one day one begins.
 *
 * @param lastTried the day of the try that was declined
 */
export async function beginRetry(
  db: Db,
  clock: SqlClock,
  due: DueDay,
  lastTried: Day,
  payment: NewPayment,
): Promise<StartedPayment | undefined> {
  return begun(db, async (trx) => {
    await holdChain(trx, due);
    const taken = await sql<{ day: string }>`
      UPDATE due_days SET state = 'begun', last_tried = ${due.today}, at = ${clock()}
      WHERE mandate_id = ${due.mandateId}::uuid AND day = ${due.day} AND state = 'declined_soft' AND last_tried = ${lastTried}
      RETURNING day`.execute(trx);
    if (taken.rows.length === 0) throw new NotBegunError();
    return insertPayment(trx, clock, payment);
  });
}

async function begun(
  db: Db,
  begin: (trx: Db) => Promise<StartedPayment | undefined>,
): Promise<StartedPayment | undefined> {
  try {
    return await db.transaction().execute(async (trx) => {
      const started = await begin(trx);
      if (started === undefined) throw new NotBegunError();
      return started;
    });
  } catch (error) {
    if (error instanceof NotBegunError) return undefined;
    throw error;
  }
}

/** Schedules are locked before chains, as everywhere: a statement that pauses, changes or ends them waits until this transaction has ended. */
async function holdChain(trx: Db, { mandateId, scheduleVersion }: DueDay): Promise<void> {
  const held = await sql<{ id: string }>`
    SELECT c.id FROM chains c JOIN schedules s ON s.id = c.schedule_id
    WHERE c.id = ${mandateId}::uuid AND c.paused_after IS NULL AND c.ended_at IS NULL AND NOT s.paused AND s.version = ${scheduleVersion}::integer
    FOR SHARE OF s, c`.execute(trx);
  if (held.rows.length === 0) throw new NotBegunError();
}
