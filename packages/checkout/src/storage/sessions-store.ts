import { sql } from 'kysely';
import type { RawBuilder, Selectable } from 'kysely';
import { beginDurably } from './begin-durably.ts';
import { toJsonText } from './json-text.ts';
import type { Db } from './db.ts';
import type { Operation, PayerPresence, SessionState } from './schema/index.ts';
import type { SessionsTable } from './schema/sessions.ts';
import { milliseconds } from './sql-clock.ts';
import type { SqlClock } from './sql-clock.ts';

/** Protocol: Limits, "Duplicate-request window". */
export const DUPLICATE_WINDOW_MS = 15_000;

export type Session = Selectable<SessionsTable>;

/** The data that one of a merchant's keys may see: a live key no tests, a test key only tests. Order numbers may be equal. */
export interface MerchantScope {
  readonly merchantKey: string;
  readonly test: boolean;
}

export interface NewSession {
  /** A UUID. */
  readonly id: string;
  readonly merchantKey: string;
  /** The key that the request named, the live one or the test one: each has its own duplicate window for an order number. */
  readonly keyAsSent: string;
  readonly operation: Operation;
  readonly orderNumber: string;
  /** SHA-256 of the page's token, 64 lower-case hex digits. */
  readonly tokenHash: string;
  /** The request as it was accepted. */
  readonly requestText: string;
  readonly hashDialect: 'ascii' | 'unicode';
  readonly hashDigest: 'md5' | 'sha256';
  readonly test: boolean;
  readonly lifetimeMinutes: number;
  readonly payerPresence: PayerPresence;
}

type CreatedSession =
  | { readonly result: 'created'; readonly createdAt: Date; readonly expiresAt: Date }
  | { readonly result: 'duplicate' };

/** Of a session `s`: no payment of it may still bring money. */
const nothingLive = (): RawBuilder<unknown> => sql`(s.live_payment_id IS NULL
  OR EXISTS (SELECT FROM payments p WHERE p.id = s.live_payment_id AND p.state IN ('declined', 'expired')))`;

/** Checkout sessions and the window in which a repeated order number is a duplicate. */
export class SessionsStore {
  readonly #db: Db;
  readonly #clock: SqlClock;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Stores the session, or answers `duplicate` if one with this key as sent and order number was created less than 15 seconds ago.
   * One statement: of any number of equal requests at once exactly one is created. A duplicate does not extend the window.
   */
  async create(session: NewSession): Promise<CreatedSession> {
    return beginDurably(
      () => this.#store(session),
      async () => {
        const found = await this.find(session.id);
        return found && { result: 'created', createdAt: found.createdAt, expiresAt: found.expiresAt };
      },
    );
  }

  async #store(session: NewSession): Promise<CreatedSession> {
    const now = this.#clock();
    const window = milliseconds(DUPLICATE_WINDOW_MS);
    // A window armed in the future was armed before the clock was set back; within 15 s it may be a request that overtook this one.
    const stored = await sql<{ createdAt: Date; expiresAt: Date }>`
        WITH armed AS (
          INSERT INTO duplicate_windows AS w (merchant_key, order_number, armed_at)
          VALUES (${session.keyAsSent}, ${session.orderNumber}, ${now})
          ON CONFLICT (merchant_key, order_number) DO UPDATE SET armed_at = ${now}
            WHERE w.armed_at <= ${now} - ${window} OR w.armed_at > ${now} + ${window}
          RETURNING armed_at
        )
        INSERT INTO sessions (id, merchant_key, operation, order_number, token_hash, request_text, hash_dialect, hash_digest, test,
          payer_presence, created_at, expires_at)
        SELECT ${session.id}::uuid, ${session.merchantKey}, ${session.operation}, ${session.orderNumber}, ${session.tokenHash},
          ${session.requestText}, ${session.hashDialect}, ${session.hashDigest}, ${session.test}::boolean,
          ${session.payerPresence}, armed_at, armed_at + ${milliseconds(session.lifetimeMinutes * 60_000)}
        FROM armed
        RETURNING created_at, expires_at`.execute(this.#db);
    const row = stored.rows[0];
    return row === undefined ? { result: 'duplicate' } : { result: 'created', ...row };
  }

  /** The session that a page's token belongs to, in whatever state it is. */
  async findByTokenHash(tokenHash: string): Promise<Session | undefined> {
    return this.#db.selectFrom('sessions').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst();
  }

  async find(id: string): Promise<Session | undefined> {
    return this.#db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async findAll(ids: readonly string[]): Promise<Session[]> {
    if (ids.length === 0) return [];
    return this.#db.selectFrom('sessions').selectAll().where('id', 'in', ids).execute();
  }

  /** A mark of each of these sessions, which differs when it, an attempt or a run of it has changed. */
  async marksOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await sql<{ id: string; mark: string }>`
        SELECT s.id, concat_ws(' ', s.state, s.attempts,
          (SELECT sum(p.version) FROM payments p WHERE p.session_id = s.id),
          (SELECT sum(r.lease_epoch * 2 + CASE WHEN r.state = 'suspended' THEN 1 ELSE 0 END)
            FROM flow_runs r JOIN payments p ON p.id = r.payment_id WHERE p.session_id = s.id)) AS mark
        FROM sessions s WHERE s.id IN (SELECT value::uuid FROM json_array_elements_text(${toJsonText(ids)}::json))`.execute(
      this.#db,
    );
    return new Map(found.rows.map(({ id, mark }) => [id, mark]));
  }

  /** The newest session of an order, in whatever state it is. */
  async newestOfOrder({ merchantKey, test }: MerchantScope, orderNumber: string): Promise<Session | undefined> {
    return this.#db
      .selectFrom('sessions')
      .selectAll()
      .where('merchantKey', '=', merchantKey)
      .where('test', '=', test)
      .where('orderNumber', '=', orderNumber)
      .orderBy('createdAt', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /**
   * Ends an open session; the first caller wins. A session is not cancelled under a payment that may still bring money: one
   * statement looks and closes, so that no payment begins in between.
   *
   * @returns false if it had ended already, or may not be cancelled
   */
  async close(id: string, state: Exclude<SessionState, 'open'>): Promise<boolean> {
    const mayClose = state === 'cancelled' ? nothingLive() : sql`true`;
    const closed = await sql`
        UPDATE sessions s SET state = ${state}, closed_at = ${this.#clock()}
        WHERE s.id = ${id}::uuid AND s.state = 'open' AND ${mayClose}`.execute(this.#db);
    return closed.numAffectedRows === 1n;
  }

  /**
   * Ends the open sessions whose time is over. One with a payment that may still bring money stays open until that payment has ended,
   * because its payer must not read that nothing happened.
   */
  async expireDue(limit: number): Promise<Session[]> {
    const now = this.#clock();
    const expired = await sql<Session>`
        UPDATE sessions SET state = 'expired', closed_at = ${now}
        WHERE state = 'open' AND id IN (
          SELECT s.id FROM sessions s LEFT JOIN payments p ON p.id = s.live_payment_id
          WHERE s.state = 'open' AND s.expires_at <= ${now} AND (s.live_payment_id IS NULL OR p.state IN ('declined', 'expired'))
          ORDER BY s.expires_at LIMIT ${limit}::integer FOR UPDATE OF s SKIP LOCKED
        )
        RETURNING *`.execute(this.#db);
    return expired.rows;
  }

  /**
   * Ends one session whose time is over, before its payer sees so: a payment that begins in the same moment is too late, or was
   * first. @returns whether it ended now
   */
  async expire(id: string): Promise<boolean> {
    const now = this.#clock();
    const expired = await sql`
        UPDATE sessions s SET state = 'expired', closed_at = ${now}
        WHERE s.id = ${id}::uuid AND s.state = 'open' AND s.expires_at <= ${now} AND ${nothingLive()}`.execute(
      this.#db,
    );
    return expired.numAffectedRows === 1n;
  }

  /** Forgets the duplicate windows that have passed. @returns how many */
  async forgetWindows(): Promise<number> {
    const gone =
      await sql`DELETE FROM duplicate_windows WHERE armed_at <= ${this.#clock()} - ${milliseconds(DUPLICATE_WINDOW_MS)}`.execute(
        this.#db,
      );
    return Number(gone.numAffectedRows ?? 0n);
  }
}

export const sessionsStore = (db: Db, clock: SqlClock): SessionsStore => new SessionsStore(db, clock);
