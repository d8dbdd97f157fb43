import type { Day } from '@railyard/core/protocol';
import { type Piece, sql } from './piece.ts';
import { executePlain } from './plain-statement.ts';
import type { Db } from './db.ts';
import { insertIn, insertPayment, type NewPayment, type StartedPayment } from './insert-payment.ts';
import { milliseconds, type SqlClock } from './sql-clock.ts';
import type { NewSession } from './sessions-store.ts';

/** The due day of a chain, and what its schedule was when it was decided about it. */
export interface DueDay {
  readonly mandateId: string;
  readonly day: Day;
  readonly scheduleVersion: number;
  /** How often something had made the chain due when it was read. */
  readonly wakes: number;
  /** The day on which it is charged. */
  readonly today: Day;
  /** When the chain is looked at next; `null`: not by itself. Left out where there is more to do at once. */
  readonly pollInMs?: number | null;
}

/** Undoes a transaction in which a charge cannot begin. */
class NotBegunError extends Error {
  override readonly name = 'NotBegunError';
}

/**
 * Begins the charge of a due day: its day, session and payment, and when its chain is looked at next, in one statement. Schedule and chain are
 * held meanwhile, so that no charge begins once a pause, a change or an end of them was acknowledged. The day is the key: of any number of
 * processes one begins it. The duplicate window is for requests, and is neither asked nor armed.
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
  const { day, today, pollInMs } = due;
  const now = clock();
  const planned =
    pollInMs === undefined
      ? sql``
      : sql`, planned AS (
      UPDATE chains c SET poll_at = ${pollInMs === null ? sql`NULL` : sql`${now} + ${milliseconds(pollInMs)}`}
      FROM dued WHERE c.id = dued.mandate_id
    )`;
  const claimed = sql`held AS (${heldChain(due)}), dued AS (
      INSERT INTO due_days (mandate_id, day, state, charge_id, first_tried, last_tried, at)
      SELECT id, ${day}, 'begun', ${payment.id}::uuid, ${today}, ${today}, ${now} FROM held
      ON CONFLICT (mandate_id, day) DO NOTHING RETURNING mandate_id
    )${planned}, claimed AS (
      INSERT INTO sessions (id, merchant_key, operation, order_number, token_hash, request_text, hash_dialect, hash_digest, test,
        payer_presence, created_at, expires_at, live_payment_id, attempts)
      SELECT ${session.id}::uuid, ${session.merchantKey}, ${session.operation}, ${session.orderNumber}, ${session.tokenHash},
        ${session.requestText}, ${session.hashDialect}, ${session.hashDigest}, ${session.test}::boolean, ${session.payerPresence}, ${now},
        ${now} + ${milliseconds(session.lifetimeMinutes * 60_000)}, ${payment.id}::uuid, 1
      FROM dued RETURNING id, merchant_key, operation, order_number, attempts, test
    )`;
  return insertIn(db, clock, payment, claimed);
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
    if ((await executePlain(trx, heldChain(due))).rows.length === 0) throw new NotBegunError();
    const taken = await executePlain(
      trx,
      sql<{ day: string }>`
      UPDATE due_days SET state = 'begun', last_tried = ${due.today}, at = ${clock()}
      WHERE mandate_id = ${due.mandateId}::uuid AND day = ${due.day} AND state = 'declined_soft' AND last_tried = ${lastTried}
      RETURNING day`,
    );
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

/**
 * The chain as it was when it was decided about it, and its schedule. Schedules are locked before chains, as everywhere: a statement that pauses,
 * changes or ends them waits until this one has ended.
 */
const heldChain = ({ mandateId, wakes, scheduleVersion }: DueDay): Piece<{ id: string }> => sql`
    SELECT c.id FROM chains c JOIN schedules s ON s.id = c.schedule_id
    WHERE c.id = ${mandateId}::uuid AND c.wakes = ${wakes}::integer AND c.paused_after IS NULL AND c.ended_at IS NULL
      AND NOT s.paused AND s.version = ${scheduleVersion}::integer
    FOR SHARE OF s FOR UPDATE OF c`;
