import { sql, type RawBuilder } from 'kysely';
import type { Operation, PayerPresence, Selectable, SessionState, SessionsTable } from './tables.ts';
import { DatabaseUnavailableError, beginDurably } from './database/failure.ts';
import { groupCommit } from './database/shared-statements.ts';
import { BATCH_LIMIT, inBatches, milliseconds, toJsonText, type Db, type SqlClock } from './database/sql.ts';

export type Session = Selectable<SessionsTable>;

/** A new session has none of these yet. */
type Later =
  | 'state'
  | 'livePaymentId'
  | 'paidPaymentId'
  | 'entryId'
  | 'entryText'
  | 'attempts'
  | 'closedAt'
  | 'erasedAt';

/** A session that was just stored, as it would be read. */
export const asStored = (
  session: Omit<Session, Later | 'createdAt' | 'expiresAt'>,
  times: Pick<Session, 'createdAt' | 'expiresAt'>,
): Session => ({
  id: session.id,
  merchantKey: session.merchantKey,
  operation: session.operation,
  orderNumber: session.orderNumber,
  tokenHash: session.tokenHash,
  requestText: session.requestText,
  hashDialect: session.hashDialect,
  hashDigest: session.hashDigest,
  test: session.test,
  payerPresence: session.payerPresence,
  state: 'open',
  livePaymentId: null,
  paidPaymentId: null,
  entryId: null,
  entryText: null,
  attempts: 0,
  createdAt: times.createdAt,
  expiresAt: times.expiresAt,
  closedAt: null,
  erasedAt: null,
});

/** Some megabytes. A session that is no longer cached costs one read more. */
const MOST = 2000;

/**
 * Sessions without an attempt that this process has just written or read; the oldest is dropped first. Without it a payment costs one read and
 * 1.1 commits more. A cached session may be out of date: use it only for statements that do nothing once the stored session has changed.
 */
export class SessionCache {
  readonly #sessions = new Map<string, Session>();

  keep(session: Session): void {
    if (session.payerPresence !== 'page' || session.state !== 'open' || session.attempts > 0) return;
    this.#sessions.delete(session.tokenHash);
    this.#sessions.set(session.tokenHash, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST && oldest !== undefined) this.#sessions.delete(oldest);
  }

  /** Removes the session, because the caller is about to change it. */
  take(tokenHash: string): Session | undefined {
    const session = this.#sessions.get(tokenHash);
    this.#sessions.delete(tokenHash);
    return session;
  }
}

/** Protocol: Limits, "Duplicate-request window". */
export const DUPLICATE_WINDOW_MS = 15_000;

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

/** Enough that one statement is made while another commits, few enough that many sessions share one. */
const LANES = 2;
const MOST_TOGETHER = 64;

type CreatedSession =
  | { readonly result: 'created'; readonly createdAt: Date; readonly expiresAt: Date }
  | { readonly result: 'duplicate' };

/** A session among those whose time is over, by when that was; as the database writes it, which is finer than a millisecond. */
export interface SessionPlace {
  readonly expiresAt: string;
  readonly id: string;
}

const BEFORE_ALL: SessionPlace = { expiresAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

export interface ExpiredSessions {
  /** Those that have ended now. */
  readonly ids: readonly string[];
  /** The payments of others whose flow waits, with nothing at the provider yet. */
  readonly waiting: readonly string[];
  /** Where to go on; absent where all have been looked at. */
  readonly next?: SessionPlace;
}

type LookedAt = { ids: string[]; waiting: string[]; looked: number; expiresAt: string | null; id: string | null };

/** Of a session `s`: no payment of it may still bring money. */
const nothingLive = (): RawBuilder<unknown> => sql`(s.live_payment_id IS NULL
  -- One that begins at the same moment is not seen here, but named by the session.
  OR (EXISTS (SELECT FROM payments p WHERE p.id = s.live_payment_id AND p.state IN ('declined', 'expired'))
    AND NOT EXISTS (SELECT FROM payments p WHERE p.session_id = s.id AND p.state NOT IN ('declined', 'expired'))))`;

/** Ends the stay of a card that was entered: it goes with the session's end, and once a payment has begun with it. */
export const withoutEntry = sql`entry_id = NULL, entry_text = NULL`;

/** Checkout sessions and the window in which a repeated order number is a duplicate. */
export class SessionsStore {
  readonly #db: Db;
  readonly #clock: SqlClock;
  readonly #store: (session: NewSession) => Promise<CreatedSession>;
  readonly #cache = new SessionCache();

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
    this.#store = groupCommit({
      write: (sessions) => this.#storeAll(sessions),
      key: ({ keyAsSent, orderNumber }) => toJsonText([keyAsSent, orderNumber]),
      lanes: LANES,
      most: MOST_TOGETHER,
      isFaultOfRow: (error) => !(error instanceof DatabaseUnavailableError),
    });
  }

  /**
   * Stores the session, together with others of the same moment, or answers `duplicate` if one with this key as sent and order number was created less than 15 seconds ago.
   * One statement for session and window: of any number of equal requests at once exactly one is created. A duplicate does not extend the window.
   *
   * @returns the session as it would be read at once
   */
  async create(
    session: NewSession,
  ): Promise<{ readonly result: 'created'; readonly stored: Session } | { readonly result: 'duplicate' }> {
    const created = await beginDurably<CreatedSession>(
      () => this.#store(session),
      async () => {
        const found = await this.find(session.id);
        return found && { result: 'created', createdAt: found.createdAt, expiresAt: found.expiresAt };
      },
    );
    if (created.result === 'duplicate') return created;
    const stored = asStored(session, created);
    this.#cache.keep(stored);
    return { result: 'created', stored };
  }

  async #storeAll(sessions: readonly NewSession[]): Promise<(session: NewSession) => CreatedSession> {
    const now = this.#clock();
    const window = milliseconds(DUPLICATE_WINDOW_MS);
    const column = (value: (session: NewSession) => unknown) => sql`${sessions.map(value)}`;
    // Every process arms windows in one order, so that no two statements wait for each other.
    // A window armed in the future was armed before the clock was set back; within 15 s it may be a request that overtook this one.
    const stored = await sql<{ id: string; createdAt: Date; expiresAt: Date }>`
        WITH given AS (
          SELECT * FROM unnest(${column(({ id }) => id)}::uuid[], ${column(({ merchantKey }) => merchantKey)}::text[],
            ${column(({ keyAsSent }) => keyAsSent)}::text[], ${column(({ operation }) => operation)}::text[],
            ${column(({ orderNumber }) => orderNumber)}::text[], ${column(({ tokenHash }) => tokenHash)}::text[],
            ${column(({ requestText }) => requestText)}::text[], ${column(({ hashDialect }) => hashDialect)}::text[],
            ${column(({ hashDigest }) => hashDigest)}::text[], ${column(({ test }) => test)}::boolean[],
            ${column(({ payerPresence }) => payerPresence)}::text[], ${column(({ lifetimeMinutes }) => lifetimeMinutes)}::integer[]
          ) AS g (id, merchant_key, key_as_sent, operation, order_number, token_hash, request_text, hash_dialect, hash_digest, test,
            payer_presence, lifetime_minutes)
        ), armed AS (
          INSERT INTO duplicate_windows AS w (merchant_key, order_number, armed_at)
          SELECT key_as_sent, order_number, ${now} FROM given ORDER BY key_as_sent, order_number
          ON CONFLICT (merchant_key, order_number) DO UPDATE SET armed_at = ${now}
            WHERE w.armed_at <= ${now} - ${window} OR w.armed_at > ${now} + ${window}
          RETURNING merchant_key, order_number, armed_at
        )
        INSERT INTO sessions (id, merchant_key, operation, order_number, token_hash, request_text, hash_dialect, hash_digest, test,
          payer_presence, created_at, expires_at)
        SELECT g.id, g.merchant_key, g.operation, g.order_number, g.token_hash, g.request_text, g.hash_dialect, g.hash_digest, g.test,
          g.payer_presence, a.armed_at, a.armed_at + g.lifetime_minutes * ${milliseconds(60_000)}
        FROM armed a JOIN given g ON g.key_as_sent = a.merchant_key AND g.order_number = a.order_number
        RETURNING id, created_at, expires_at`.execute(this.#db);
    const rows = new Map(stored.rows.map(({ id, ...row }) => [id, row]));
    return ({ id }) => {
      const row = rows.get(id);
      return row === undefined ? { result: 'duplicate' } : { result: 'created', ...row };
    };
  }

  /** The session that a page's token belongs to, in whatever state it is. */
  async findByTokenHash(tokenHash: string): Promise<Session | undefined> {
    const found = await this.#db
      .selectFrom('sessions')
      .selectAll()
      .where('tokenHash', '=', tokenHash)
      .executeTakeFirst();
    if (found !== undefined) this.#cache.keep(found);
    return found;
  }

  /**
   * Takes the session of a page's token out of this process's cache. It may be out of date, so only `paymentsStore.insert` may use it, which
   * begins no attempt once the stored session has changed.
   */
  takeCached(tokenHash: string): Session | undefined {
    return this.#cache.take(tokenHash);
  }

  /**
   * Keeps the card that a payer has entered, in place of any before it, as long as a payment may begin in the session: beside one that may still
   * bring money a repeat of its request would later find this card, and charge it.
   *
   * @param before the entry that it is made of; the session then still has to have that one
   * @returns false where the session has ended, has another entry by now, or a payment has begun in it
   */
  async keepEntry(
    id: string,
    { entryId, entryText }: { readonly entryId: string; readonly entryText: string },
    before?: string,
  ): Promise<boolean> {
    const kept = await sql`
        UPDATE sessions s SET entry_id = ${entryId}::uuid, entry_text = ${entryText}
        WHERE s.id = ${id}::uuid AND s.state = 'open' AND s.expires_at > ${this.#clock()} AND ${nothingLive()}
          AND (${before ?? null}::uuid IS NULL OR s.entry_id = ${before ?? null}::uuid)`.execute(this.#db);
    return kept.numAffectedRows === 1n;
  }

  /** The entries that these sessions have now. */
  async entriesOf(ids: readonly string[]): Promise<string[]> {
    const found = await sql<{ entryId: string }>`
        SELECT entry_id FROM sessions
        WHERE id IN (SELECT value::uuid FROM json_array_elements_text(${toJsonText(ids)}::json)) AND entry_id IS NOT NULL`.execute(
      this.#db,
    );
    return found.rows.map(({ entryId }) => entryId);
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
        UPDATE sessions s SET state = ${state}, closed_at = ${this.#clock()}, ${withoutEntry}
        WHERE s.id = ${id}::uuid AND s.state = 'open' AND ${mayClose}`.execute(this.#db);
    return closed.numAffectedRows === 1n;
  }

  /**
   * Ends open sessions whose time is over. One with a payment that may still bring money stays open until that payment has ended, because its
   * payer must not read that nothing happened.
   *
   * @param limit sessions that are looked at, so that many which stay open cost a statement no more than a few
   * @param after where the last look ended
   */
  async expireDue(limit: number, after: SessionPlace = BEFORE_ALL): Promise<ExpiredSessions> {
    const now = this.#clock();
    const found = await sql<LookedAt>`
        WITH looked AS MATERIALIZED (
          SELECT id, expires_at, live_payment_id FROM sessions
          WHERE state = 'open' AND expires_at <= ${now} AND (expires_at, id) > (${after.expiresAt}::timestamptz, ${after.id}::uuid)
          ORDER BY expires_at, id LIMIT ${limit}::integer
        ), due AS (
          SELECT s.id FROM looked JOIN sessions s ON s.id = looked.id WHERE s.state = 'open' AND ${nothingLive()}
          ORDER BY s.id FOR UPDATE OF s SKIP LOCKED
        ), expired AS (
          UPDATE sessions SET state = 'expired', closed_at = ${now}, ${withoutEntry} FROM due WHERE sessions.id = due.id RETURNING sessions.id
        )
        SELECT coalesce((SELECT json_agg(id) FROM expired), '[]'::json) AS ids, coalesce((SELECT json_agg(p.id) FROM looked
            JOIN payments p ON p.id = looked.live_payment_id AND p.state = 'created'
            JOIN flow_runs r ON r.payment_id = p.id AND r.state = 'suspended'), '[]'::json) AS waiting, (SELECT count(*) FROM looked)::integer AS looked,
          last.expires_at::text AS expires_at, last.id
        FROM (SELECT 1) AS one LEFT JOIN (SELECT expires_at, id FROM looked ORDER BY expires_at DESC, id DESC LIMIT 1) AS last ON true`.execute(
      this.#db,
    );
    const { ids = [], waiting = [], looked = 0, expiresAt = null, id = null } = found.rows[0] ?? {};
    const ended = { ids, waiting };
    return looked < limit || expiresAt === null || id === null ? ended : { ...ended, next: { expiresAt, id } };
  }

  /**
   * Ends one session whose time is over, before its payer sees so: a payment that begins in the same moment is too late, or was
   * first. @returns whether it ended now
   */
  async expire(id: string): Promise<boolean> {
    const now = this.#clock();
    const expired = await sql`
        UPDATE sessions s SET state = 'expired', closed_at = ${now}, ${withoutEntry}
        WHERE s.id = ${id}::uuid AND s.state = 'open' AND s.expires_at <= ${now} AND ${nothingLive()}`.execute(
      this.#db,
    );
    return expired.numAffectedRows === 1n;
  }

  /**
   * Forgets the duplicate windows that have passed. One that a request arms just now is left: requests and this would wait for each other.
   * @returns how many
   */
  async forgetWindows(): Promise<number> {
    const passed = sql`armed_at <= ${this.#clock()} - ${milliseconds(DUPLICATE_WINDOW_MS)}`;
    return inBatches(
      this.#db,
      sql`DELETE FROM duplicate_windows WHERE (merchant_key, order_number) IN (
        SELECT merchant_key, order_number FROM duplicate_windows WHERE ${passed} LIMIT ${BATCH_LIMIT}::integer FOR UPDATE SKIP LOCKED
      ) AND ${passed}`,
    );
  }
}

export const sessionsStore = (db: Db, clock: SqlClock): SessionsStore => new SessionsStore(db, clock);
