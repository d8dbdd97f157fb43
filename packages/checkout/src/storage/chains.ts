import type { Day, Pause } from '@railyard/core/protocol';
import { sql, type Expression } from 'kysely';
import type { ChainsTable, Selectable } from './tables.ts';
import { numbered, outbox } from './apply-transition.ts';
import type { NewCallback } from './transition.ts';
import { claimPolls } from './modifications.ts';
import { milliseconds, toJsonText, type Db, type SqlClock } from './database/sql.ts';
import { insertIn, insertPayment, type NewPayment, type StartedPayment } from './insert-payment.ts';
import { pausesOf, scheduleOf, type Schedule } from './schedules.ts';
import type { MerchantScope, NewSession } from './sessions.ts';

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
  const now = clock();
  return insertIn(db, payment, now, claimDueDay(due, session, payment, now));
}

/** The due day `d`, and its new session as `claimed` (see `insertPayments`). */
const claimDueDay = (due: DueDay, session: NewSession, payment: NewPayment, now: Expression<Date>) => sql`d AS (
  SELECT * FROM json_to_record(${toJsonText(dueRow(due, session, payment))}::text::json) AS d (
    mandate_id uuid, wakes integer, schedule_version integer, day text, today text, has_poll boolean, poll_in_ms float8,
    payment_id uuid, session jsonb, lifetime_ms float8)

), held AS (${HELD_CHAIN}

), dued AS (
  INSERT INTO due_days (mandate_id, day, state, charge_id, first_tried, last_tried, at)
  SELECT d.mandate_id, d.day, 'begun', d.payment_id, d.today, d.today, ${now} FROM held JOIN d ON d.mandate_id = held.id
  ON CONFLICT (mandate_id, day) DO NOTHING RETURNING mandate_id

), planned AS (
  UPDATE chains c SET poll_at = ${now} + make_interval(secs => d.poll_in_ms / 1000)
  FROM dued JOIN d ON d.mandate_id = dued.mandate_id WHERE c.id = dued.mandate_id AND d.has_poll

), claimed AS (
  INSERT INTO sessions (id, merchant_key, operation, order_number, token_hash, request_text, hash_dialect, hash_digest, test,
    payer_presence, created_at, expires_at, live_payment_id, attempts)
  SELECT n.id, n.merchant_key, n.operation, n.order_number, n.token_hash, n.request_text, n.hash_dialect, n.hash_digest, n.test,
    n.payer_presence, ${now}, ${now} + make_interval(secs => d.lifetime_ms / 1000), d.payment_id, 1
  FROM dued JOIN d ON d.mandate_id = dued.mandate_id CROSS JOIN LATERAL jsonb_populate_record(NULL::sessions, d.session) n
  RETURNING id, merchant_key, operation, order_number, attempts, test`;

/** A due day as the row `d`. JSON leaves out what is undefined. */
const dueRow = ({ pollInMs, ...due }: DueDay, session: NewSession, payment: NewPayment) => ({
  mandate_id: due.mandateId,
  wakes: due.wakes,
  schedule_version: due.scheduleVersion,
  day: due.day,
  today: due.today,
  has_poll: pollInMs !== undefined,
  poll_in_ms: pollInMs,
  payment_id: payment.id,
  session: {
    id: session.id,
    merchant_key: session.merchantKey,
    operation: session.operation,
    order_number: session.orderNumber,
    token_hash: session.tokenHash,
    request_text: session.requestText,
    hash_dialect: session.hashDialect,
    hash_digest: session.hashDigest,
    test: session.test,
    payer_presence: session.payerPresence,
  },
  lifetime_ms: session.lifetimeMinutes * 60_000,
});

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
    const { mandateId, wakes, scheduleVersion, day, today } = due;
    const held = await sql`
      WITH d AS (SELECT ${mandateId}::uuid AS mandate_id, ${wakes}::integer AS wakes, ${scheduleVersion}::integer AS schedule_version)
      ${HELD_CHAIN}`.execute(trx);
    if (held.rows.length === 0) throw new NotBegunError();
    const taken = await sql`
      UPDATE due_days SET state = 'begun', last_tried = ${today}, at = ${clock()}
      WHERE mandate_id = ${mandateId}::uuid AND day = ${day} AND state = 'declined_soft' AND last_tried = ${lastTried}
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

/**
 * The chain of the due day `d` as it was when it was decided about it, and its schedule. Schedules are locked before chains, as everywhere: a
 * statement that pauses, changes or ends them waits until this one has ended.
 */
const HELD_CHAIN = sql.raw(`
  SELECT c.id FROM d JOIN chains c ON c.id = d.mandate_id JOIN schedules s ON s.id = c.schedule_id
  WHERE c.wakes = d.wakes AND c.paused_after IS NULL AND c.ended_at IS NULL AND NOT s.paused AND s.version = d.schedule_version
  FOR SHARE OF s FOR UPDATE OF c`);

/** The payments of a schedule after one payment of a payer. */
export interface Chain extends Pick<
  Selectable<ChainsTable>,
  'id' | 'scheduleId' | 'merchantKey' | 'test' | 'midId' | 'tokenHash' | 'began' | 'startDate' | 'endedAt' | 'wakes'
> {
  /** Oldest first; the last may still hold. */
  readonly pauses: readonly Pause[];
}

/** For how long a chain is the looker's. */
export const CHAIN_HOLD_MS = 60_000;

/** A charge that was declined softly, and that nothing is trying again just now. */
export interface SoftDecline {
  readonly day: Day;
  readonly chargeId: string;
  readonly firstTried: Day;
  readonly lastTried: Day;
}

/** A chain with its schedule and the decisions about its days. */
export interface ChainFacts {
  readonly chain: Chain;
  readonly schedule: Schedule;
  /** How many days were charged. */
  readonly charged: number;
  /** The last day about which it was decided. */
  readonly handled?: Day;
  /** Oldest first. */
  readonly declined: readonly SoftDecline[];
  /** How far the merchant's test clock is ahead, in milliseconds; 0 for others than tests. */
  readonly aheadMs: number;
}

/** A due day that is not charged. */
export interface SkippedDay {
  readonly mandateId: string;
  readonly day: Day;
  readonly scheduleVersion: number;
  /** How often something had made the chain due when it was read. */
  readonly wakes: number;
  /** `refused`: the account does not take the charge any more, which pauses the chain from the day `today` on. */
  readonly state: 'paused' | 'missed' | 'refused';
  readonly today: Day;
  readonly callbacks: readonly NewCallback[];
}

type Row = Selectable<ChainsTable>;

interface FactsRow extends Row {
  readonly historyText: string;
  readonly schedulePausesText: string;
  readonly version: number;
  readonly charged: number;
  readonly handled: string | null;
  readonly declined: readonly SoftDecline[];
  readonly aheadMs: string;
}

function chainOf(row: Row): Chain {
  const { id, scheduleId, merchantKey, test, midId, tokenHash, began, startDate, pausedAfter, endedAt } = row;
  const ended = pausesOf(row.pausesText);
  const pauses = pausedAfter === null ? ended : [...ended, { after: pausedAfter }];
  return { id, scheduleId, merchantKey, test, midId, tokenHash, began, startDate, endedAt, wakes: row.wakes, pauses };
}

function factsOf(row: FactsRow): ChainFacts {
  const { scheduleId: id, schedulePausesText: pausesText, handled, charged, declined, aheadMs, ...rest } = row;
  return {
    chain: chainOf(row),
    schedule: scheduleOf({ ...rest, id, pausesText }),
    charged,
    ...(handled !== null && { handled }),
    declined,
    aheadMs: Number(aheadMs),
  };
}

/** The chains of recurring schedules and their due days. A chain begins with a change of its first payment (`applyTransition`). */
export class ChainsStore {
  readonly #db: Db;
  readonly #clock: SqlClock;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Takes chains that are to be looked at now, see `claimPolls`. */
  async claimDue(limit: number, exceptMids: readonly string[] = []): Promise<Chain[]> {
    const polls = { table: 'chains', isRunning: sql`false`, limit, holdMs: CHAIN_HOLD_MS, exceptMids } as const;
    return (await claimPolls<Row>(this.#db, this.#clock, polls)).map(chainOf);
  }

  /** The chain that began with a payment, and the facts for deciding about it. */
  async find(id: string): Promise<ChainFacts | undefined> {
    const [found] = await this.findAll([id]);
    return found;
  }

  /** The same of several chains. */
  async findAll(ids: readonly string[]): Promise<ChainFacts[]> {
    const found = await sql<FactsRow>`
      SELECT c.*, s.history_text, s.pauses_text AS schedule_pauses_text, s.version,
        (SELECT count(*)::integer FROM due_days d WHERE d.mandate_id = c.id AND d.charge_id IS NOT NULL) AS charged,
        (SELECT max(d.day) FROM due_days d WHERE d.mandate_id = c.id) AS handled,
        coalesce((
          SELECT json_agg(json_build_object('day', d.day, 'chargeId', d.charge_id, 'firstTried', d.first_tried, 'lastTried', d.last_tried)
            ORDER BY d.day)
          FROM due_days d JOIN sessions t ON t.id = d.charge_id JOIN payments p ON p.id = t.live_payment_id
          WHERE d.mandate_id = c.id AND d.state = 'declined_soft' AND p.state IN ('declined', 'expired')
        ), '[]'::json) AS declined,
        coalesce((SELECT t.ahead_ms FROM test_clocks t WHERE c.test AND t.merchant_key = c.merchant_key), 0)::text AS ahead_ms
      FROM chains c JOIN schedules s ON s.id = c.schedule_id WHERE c.id = ANY (${ids}::uuid[])`.execute(this.#db);
    return found.rows.map(factsOf);
  }

  /** The chain of a schedule that a merchant names by its token. */
  async findByToken({ merchantKey, test }: MerchantScope, scheduleId: string, tokenHash: string) {
    const row = await this.#db
      .selectFrom('chains')
      .selectAll()
      .where('tokenHash', '=', tokenHash)
      .where('scheduleId', '=', scheduleId)
      .where('merchantKey', '=', merchantKey)
      .where('test', '=', test)
      .executeTakeFirst();
    return row && chainOf(row);
  }

  /** See `beginCharge`. */
  beginCharge(due: DueDay, session: NewSession, payment: NewPayment): Promise<StartedPayment | undefined> {
    return beginCharge(this.#db, this.#clock, due, session, payment);
  }

  /** See `beginRetry`. */
  beginRetry(due: DueDay, lastTried: Day, payment: NewPayment): Promise<StartedPayment | undefined> {
    return beginRetry(this.#db, this.#clock, due, lastTried, payment);
  }

  /**
   * Writes down that a due day is not charged, with the callback that says so, which is one of the first payment: there is no other. Nothing
   * where the schedule or the chain has changed since it was decided; it is decided again.
   */
  async skip({ mandateId, day, scheduleVersion, wakes, state, today, callbacks }: SkippedDay): Promise<boolean> {
    const now = this.#clock();
    const pausedAfter = state === 'refused' ? sql`coalesce(c.paused_after, ${today})` : sql`c.paused_after`;
    const skipped = await sql<{ day: string }>`
      WITH plan AS (
        SELECT c.id FROM chains c JOIN schedules s ON s.id = c.schedule_id
        WHERE c.id = ${mandateId}::uuid AND c.wakes = ${wakes}::integer AND c.ended_at IS NULL
          AND s.version = ${scheduleVersion}::integer FOR SHARE OF s FOR UPDATE OF c
      ), dued AS (
        INSERT INTO due_days AS d (mandate_id, day, state, at) SELECT id, ${day}, ${state}, ${now} FROM plan
        ON CONFLICT (mandate_id, day) DO UPDATE SET state = excluded.state, at = excluded.at
          WHERE d.state = 'declined_soft' AND excluded.state = 'refused'
        RETURNING mandate_id, day
      ), chained AS (
        UPDATE chains c SET paused_after = ${pausedAfter} FROM dued WHERE c.id = dued.mandate_id
      ), changed AS (
        UPDATE payments p SET callbacks = p.callbacks + ${callbacks.length}::integer FROM dued WHERE p.id = dued.mandate_id RETURNING p.*
      ), t AS (
        SELECT ${mandateId}::uuid AS payment_id, ${toJsonText(numbered(callbacks))}::json AS callbacks, NULL::float8 AS claim_ms
      ), ${outbox(now)})
      SELECT day FROM dued`.execute(this.#db);
    return skipped.rows.length === 1;
  }

  /** When a chain is looked at next; `null`: not by itself. @returns false where something has made it due since it was read */
  async pollIn({ id, wakes }: Chain, inMs: number | null): Promise<boolean> {
    const pollAt = inMs === null ? sql`NULL` : sql`${this.#clock()} + ${milliseconds(inMs)}`;
    const planned =
      await sql`UPDATE chains SET poll_at = ${pollAt} WHERE id = ${id}::uuid AND wakes = ${wakes}::integer`.execute(
        this.#db,
      );
    return planned.numAffectedRows === 1n;
  }

  /** Writes the pauses of a chain alone, and has it looked at. @returns false where it has changed since it was read */
  async setPauses({ id, wakes }: Chain, pauses: readonly Pause[]): Promise<boolean> {
    const now = this.#clock();
    const open = pauses.find(({ until }) => until === undefined);
    const ended = pauses.filter(({ until }) => until !== undefined);
    const written = await sql`
      UPDATE chains SET paused_after = ${open?.after ?? null}, pauses_text = ${toJsonText(ended)}, wakes = wakes + 1,
        poll_at = CASE WHEN ended_at IS NULL THEN ${now} END
      WHERE id = ${id}::uuid AND wakes = ${wakes}::integer`.execute(this.#db);
    return written.numAffectedRows === 1n;
  }

  /** Ends a chain: nothing is charged by it any more. @returns true */
  async end({ id }: Chain): Promise<true> {
    const now = this.#clock();
    await sql`UPDATE chains SET ended_at = coalesce(ended_at, ${now}), poll_at = NULL, wakes = wakes + 1 WHERE id = ${id}::uuid`.execute(
      this.#db,
    );
    return true;
  }
}

export const chainsStore = (db: Db, clock: SqlClock): ChainsStore => new ChainsStore(db, clock);
