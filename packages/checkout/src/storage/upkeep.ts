import { sql, type Expression, type RawBuilder } from 'kysely';
import { BATCH_LIMIT, milliseconds, toJsonText, type Db, type SqlClock } from './database/sql.ts';
import type { ConfigurationsTable, PaymentState, Selectable } from './tables.ts';
import type { Session } from './sessions.ts';
import type { DriftCount } from '@railyard/runtime';
import { openAddresses } from './callbacks.ts';

export type StoredConfiguration = Selectable<ConfigurationsTable>;

/** Versions of merchants and MIDs. The newest is in force; none is changed or deleted. */
export class ConfigurationsStore {
  readonly #db: Db;
  readonly #clock: SqlClock;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
  }

  async newest(): Promise<StoredConfiguration | undefined> {
    return this.#db.selectFrom('configurations').selectAll().orderBy('version', 'desc').limit(1).executeTakeFirst();
  }

  /** The number of the newest version, 0 if there is none: asked often. */
  async newestVersion(): Promise<number> {
    const row = await this.#db
      .selectFrom('configurations')
      .select('version')
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.version ?? 0;
  }

  /** Every version, newest first, without its content. */
  async history(): Promise<Pick<StoredConfiguration, 'version' | 'origin' | 'appliedAt'>[]> {
    return this.#db
      .selectFrom('configurations')
      .select(['version', 'origin', 'appliedAt'])
      .orderBy('version', 'desc')
      .execute();
  }

  /** @returns false if another process stored this version: its content may differ */
  async add(configuration: Omit<StoredConfiguration, 'appliedAt'>): Promise<boolean> {
    const { version, publicText, sealed, origin } = configuration;
    const added = await sql`
        INSERT INTO configurations (version, public_text, sealed, origin, applied_at)
        VALUES (${version}::integer, ${publicText}, ${sealed}, ${origin}, ${this.#clock()})
        ON CONFLICT DO NOTHING`.execute(this.#db);
    return added.numAffectedRows === 1n;
  }
}

export const configurationsStore = (db: Db, clock: SqlClock): ConfigurationsStore => new ConfigurationsStore(db, clock);

/**
 * Of one endpoint and version, in all processes; whatever else comes is counted together. A process counts 200 by name, and names that change with
 * each process would still have no end.
 */
const MOST_OF_AN_ENDPOINT = 1000;

/** The fields and words in replies that their connectors do not declare. */
export class DriftStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Adds counts to the totals of all processes, always in the order of the table's key, so that two processes never wait in a circle.
   *
   * @param more the place of the counted difference
   */
  async add(counts: readonly DriftCount[], more: string): Promise<void> {
    for (let from = 0; from < counts.length; from += BATCH_LIMIT)
      await this.#addBatch(counts.slice(from, from + BATCH_LIMIT), more);
  }

  async #addBatch(counts: readonly DriftCount[], more: string): Promise<void> {
    await sql`
      WITH given AS (
        SELECT g.*, EXISTS (SELECT FROM reply_drift o
            WHERE (o.connector_id, o.version, o.endpoint, o.kind, o.reply, o.status, o.place, o.form)
              = (g.connector, g.version, g.endpoint, g.kind, g.reply, g.status, g.place, g.form))
          OR (SELECT count(*) FROM reply_drift o WHERE (o.connector_id, o.version, o.endpoint) = (g.connector, g.version, g.endpoint))
            < ${MOST_OF_AN_ENDPOINT}::integer AS named
        FROM json_to_recordset(${toJsonText(counts)}::json) AS g (connector text, version text, endpoint text, kind text, reply text,
          status integer, place text, form text, seen bigint, "firstSeen" double precision, "lastSeen" double precision)
      ), bounded AS (
        SELECT connector, version, endpoint, kind, seen, "firstSeen", "lastSeen",
          CASE WHEN named THEN reply ELSE '' END AS reply, CASE WHEN named THEN status ELSE 0 END AS status,
          CASE WHEN named THEN place ELSE ${more} END AS place, CASE WHEN named THEN form ELSE '' END AS form
        FROM given
      )
      INSERT INTO reply_drift AS d
        (connector_id, version, endpoint, kind, reply, status, place, form, seen, first_seen_at, last_seen_at)
      SELECT connector, version, endpoint, kind, reply, status, place, form, sum(seen),
        to_timestamp(min("firstSeen") / 1000), to_timestamp(max("lastSeen") / 1000)
      FROM bounded GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
      ON CONFLICT (connector_id, version, endpoint, kind, reply, status, place, form) DO UPDATE SET seen = d.seen + excluded.seen,
        first_seen_at = least(d.first_seen_at, excluded.first_seen_at), last_seen_at = greatest(d.last_seen_at, excluded.last_seen_at)
    `.execute(this.#db);
  }

  /** Everything that is counted, by connector, version and endpoint. */
  async list(): Promise<readonly DriftCount[]> {
    const rows = await this.#db
      .selectFrom('replyDrift')
      .selectAll()
      .orderBy('connectorId')
      .orderBy('version')
      .orderBy('endpoint')
      .orderBy('kind')
      .orderBy('reply')
      .orderBy('status')
      .orderBy('place')
      .orderBy('form')
      .execute();
    return rows.map(({ connectorId, seen, firstSeenAt, lastSeenAt, ...row }) => ({
      ...row,
      connector: connectorId,
      seen: Number(seen),
      firstSeen: firstSeenAt.getTime(),
      lastSeen: lastSeenAt.getTime(),
    }));
  }
}

export const driftStore = (db: Db): DriftStore => new DriftStore(db);

/** The rest of a session's request after erasure, sealed; `undefined`: the request cannot be read. */
export type LeftOfRequest = (session: Session) => string | undefined;

const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Leaves of the requests that are due what `leftOf` says, and takes what is personal out of their payments. A request is sealed, so each is
 * read; a text that cannot be read stays as it is.
 *
 * @param due sessions, by `id`
 * @returns how many sessions
 */
export async function eraseRequests(
  db: Db,
  due: Expression<unknown>,
  now: Expression<unknown>,
  leftOf: LeftOfRequest,
): Promise<number> {
  let count = 0;
  let after: string | undefined = FIRST;
  while (after !== undefined) {
    const batch: { readonly rows: readonly Session[] } = await sql<Session>`
      SELECT s.* FROM sessions s JOIN (${due}) d ON d.id = s.id WHERE s.id > ${after}::uuid
      ORDER BY s.id LIMIT ${BATCH_LIMIT}::integer`.execute(db);
    const left = batch.rows.flatMap((session) => {
      const text = leftOf(session);
      return text === undefined ? [] : [{ id: session.id, text }];
    });
    if (left.length > 0) count += await erase(db, left, due, now);
    after = batch.rows.length < BATCH_LIMIT ? undefined : batch.rows.at(-1)?.id;
  }
  return count;
}

/** One statement, which looks once more whether they are due. */
async function erase(
  db: Db,
  left: readonly { readonly id: string; readonly text: string }[],
  due: Expression<unknown>,
  now: Expression<unknown>,
): Promise<number> {
  const erased = await sql<{ count: number }>`
    WITH given AS MATERIALIZED (
      SELECT g.id::uuid AS id, g.text FROM json_to_recordset(${toJsonText(left)}::json) AS g (id text, text text)
      JOIN (${due}) d ON d.id = g.id::uuid
    ), erased AS (
      UPDATE sessions s SET request_text = g.text, erased_at = ${now} FROM given g WHERE s.id = g.id RETURNING s.id
    ), paid AS (
      UPDATE payments p SET payer_ip = NULL, show_text = NULL, agreement_text = '{}', connector_state_text = '{}', recurring_token = NULL, provider_message = NULL,
        card_id = NULL, payee_card_id = NULL, erased_at = ${now}
      FROM given g WHERE p.session_id = g.id
    ), acted AS (
      UPDATE modifications a SET provider_message = NULL FROM payments p, given g
      WHERE a.payment_id = p.id AND p.session_id = g.id AND a.provider_message IS NOT NULL
    ), cards_gone AS (
      DELETE FROM cards c USING payments p, given g
      WHERE p.session_id = g.id AND (c.id = p.card_id OR c.id = p.payee_card_id)
        AND NOT EXISTS (SELECT FROM card_tokens t WHERE t.card_id = c.id)
        AND NOT EXISTS (SELECT FROM payments o WHERE (o.card_id = c.id OR o.payee_card_id = c.id)
          AND NOT EXISTS (SELECT FROM given WHERE given.id = o.session_id))
    )
    SELECT count(*)::integer AS count FROM erased`.execute(db);
  return erased.rows[0]?.count ?? 0;
}

/** A payment that needs an operator: its outcome is unknown, it is open without further lookups, or its money waits for a decision. */
export interface LeftPayment {
  readonly id: string;
  readonly state: PaymentState;
  /** Its outcome is unknown; otherwise the provider has accepted it, and its result is not final. */
  readonly unknown: boolean;
  readonly merchantKey: string;
  readonly orderNumber: string;
  readonly operation: string;
  readonly midId: string;
  readonly method: string;
  /** As the merchant sent it; null where the payer chooses. */
  readonly amountText: string | null;
  readonly currency: string;
  /** Ours, which the provider was given. */
  readonly merchantReference: string;
  readonly providerReference: string | null;
  /** How often the provider was asked. */
  readonly polls: number;
  /** Money that came and does not fit, as the provider reported it. */
  readonly asideText: string | null;
  readonly createdAt: Date;
}

/** Of a payment `p`: a person has to decide about money of it. */
const isUndecided = (): RawBuilder<unknown> =>
  sql`(p.aside_text IS NOT NULL OR (p.state = 'partially_approved' AND p.poll_at IS NULL))`;

/** Of a payment `p`: open, and nothing asks about it. One whose flow runs or waits for the payer needs no lookup. */
export const isLeft = (): RawBuilder<unknown> => sql`p.poll_at IS NULL AND p.state IN ('created', 'pending')
  AND NOT EXISTS (SELECT FROM flow_runs r WHERE r.payment_id = p.id AND r.state <> 'finished')`;

const isUnknown = (): RawBuilder<unknown> => sql`(p.unknown AND p.state IN ('created', 'pending'))`;

/** Those with money that waits for a decision first, then those with unknown outcomes; of these the oldest first. */
export async function paymentsLeft(db: Db, limit: number): Promise<LeftPayment[]> {
  const left = await sql<LeftPayment>`
    SELECT p.id, p.state, p.unknown, p.merchant_key, p.order_number, p.operation, p.mid_id, p.method, p.amount_text, p.currency, p.merchant_reference,
      p.provider_reference, p.polls, p.aside_text, p.created_at
    FROM payments p WHERE (${isLeft()}) OR ${isUnknown()} OR ${isUndecided()} ORDER BY ${isUndecided()} DESC, p.unknown DESC, p.created_at, p.id LIMIT ${limit}::integer`.execute(
    db,
  );
  return left.rows;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The ordinary work takes seconds. A row that is still there after this time was left behind. */
const OVERDUE_MS = 30 * MINUTE;
/** A payment without a next lookup may be between two statements; after this it is not. */
const FORGOTTEN_MS = 10 * MINUTE;
/** Something is done about a finding at most this often. */
const AGAIN_MS = DAY;
/** Open payments and double payments are checked no longer than this. */
const OPEN_MS = 90 * DAY;
/** Callbacks that were tried and still wait after this time go to an address that fails. */
const FAILING_MS = 5 * MINUTE;
/** An open breaker says so with each try that fails. A process that ended says nothing more. */
const BREAKER_MS = 60 * MINUTE;
/** The service can do nothing with an unread notification, and an operator cannot end it. */
const UNREAD_MS = 7 * DAY;
/** Of one kind in one reconciliation. */
const LIMIT = 100;

/** The kinds of findings. Each is a query over an index of its own, for ids and a few words. */
export const FINDING_KINDS = [
  'outcome-unknown',
  'modification-unknown',
  'payment-without-lookup',
  'lookup-overdue',
  'modification-without-lookup',
  'modification-lookup-overdue',
  'run-overdue',
  'callback-overdue',
  'callback-failing',
  'notification-overdue',
  'event-unmatched',
  'money-set-aside',
  'partial-approval',
  'paid-twice',
] as const;

/** The kinds that the log has at once, without reconciliation. They are listed all the same. */
const REPORTED_AT_ONCE = ['breaker-open', 'notification-unread'] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];
export type AttentionKind = FindingKind | (typeof REPORTED_AT_ONCE)[number];

/** Something that an operator should look at, as it is now. */
export interface Attention {
  readonly kind: AttentionKind;
  readonly subject: string;
  readonly detail: string;
  readonly since: Date;
  readonly ageSeconds: number;
}

export interface Finding {
  readonly kind: FindingKind;
  readonly subject: string;
  readonly detail: string;
  /** Found for the first time; otherwise it is still there a day after. */
  readonly isNew: boolean;
}

function queryOf(kind: AttentionKind, now: Expression<Date>): RawBuilder<unknown> {
  const before = (ms: number) => sql`${now} - ${milliseconds(ms)}`;
  switch (kind) {
    case 'outcome-unknown':
      return sql`SELECT id::text AS subject, 'since ' || updated_at AS detail, updated_at AS since FROM payments WHERE unknown AND state IN ('created', 'pending')`;
    case 'modification-unknown':
      return sql`SELECT id::text AS subject, kind || ' ' || payment_id AS detail, updated_at AS since FROM modifications WHERE state = 'unknown'`;
    case 'payment-without-lookup':
      return sql`SELECT id::text AS subject, CASE WHEN unknown THEN 'unknown' ELSE state END AS detail, updated_at AS since FROM payments p
        WHERE ${isLeft()} AND updated_at <= ${before(FORGOTTEN_MS)}
          AND created_at > ${before(OPEN_MS)}`;
    case 'lookup-overdue':
      return sql`SELECT id::text AS subject, mid_id AS detail, poll_at AS since FROM payments WHERE poll_at <= ${before(OVERDUE_MS)}`;
    case 'modification-without-lookup':
      // A modification's run has its id.
      return sql`SELECT id::text AS subject, kind || ' ' || payment_id AS detail, updated_at AS since FROM modifications a
        WHERE poll_at IS NULL AND state IN ('requested', 'pending', 'unknown') AND updated_at <= ${before(FORGOTTEN_MS)}
          AND created_at > ${before(OPEN_MS)}
          AND NOT EXISTS (SELECT FROM flow_runs r WHERE r.run_id = a.id AND r.state <> 'finished')`;
    case 'modification-lookup-overdue':
      return sql`SELECT id::text AS subject, kind || ' ' || payment_id AS detail, poll_at AS since FROM modifications WHERE poll_at <= ${before(OVERDUE_MS)}`;
    case 'run-overdue':
      return sql`SELECT run_id::text AS subject, purpose || ' ' || payment_id AS detail, lease_until AS since FROM flow_runs
        WHERE state = 'running' AND lease_until <= ${before(OVERDUE_MS)}`;
    case 'callback-overdue':
      // Callbacks to an address that is paused or disabled are meant to wait, and are not read.
      return sql`SELECT c.id AS subject, c.payment_id::text AS detail, c.next_try_at AS since FROM (${openAddresses(now)}) o
          JOIN callbacks c ON c.url = o.url AND c.merchant_key = o.merchant_key
        WHERE c.state = 'waiting' AND c.next_try_at <= ${before(OVERDUE_MS)} AND (c.claimed_until IS NULL OR c.claimed_until <= ${now})
          AND NOT EXISTS (SELECT FROM callbacks e WHERE e.payment_id = c.payment_id AND e.state = 'waiting' AND e.seq < c.seq)`;
    case 'callback-failing':
      // An address without failures has no row, and of each one the first waiting callback is read.
      return sql`SELECT a.merchant_key || ' ' || a.url AS subject, a.failures || ' failures; last answer ' || coalesce(c.last_status::text, c.last_error, 'none')
            || CASE WHEN a.paused_until > ${now} THEN '; paused' ELSE '' END AS detail, c.created_at AS since
        FROM callback_addresses a CROSS JOIN LATERAL (
          SELECT last_status, last_error, created_at FROM callbacks w
          WHERE w.url = a.url AND w.merchant_key = a.merchant_key AND w.state = 'waiting' ORDER BY w.next_try_at, w.seq LIMIT 1
        ) c WHERE a.failures > 0 AND c.created_at <= ${before(FAILING_MS)}`;
    case 'breaker-open':
      return sql`SELECT subject, detail, found_at AS since FROM findings WHERE kind = 'breaker-open' AND handled_at > ${before(BREAKER_MS)}`;
    case 'notification-unread':
      return sql`SELECT id::text AS subject, mid_id || coalesce(': ' || detail, '') AS detail, received_at AS since FROM provider_notifications
        WHERE state IN ('refused', 'failed') AND received_at > ${before(UNREAD_MS)}`;
    case 'notification-overdue':
      return sql`SELECT id::text AS subject, mid_id AS detail, received_at AS since FROM provider_notifications
        WHERE state = 'received' AND received_at <= ${before(OVERDUE_MS)}`;
    case 'event-unmatched':
      return sql`SELECT connector_id || ' ' || mid_id || ' ' || event_id AS subject, provider_reference AS detail, at AS since FROM provider_events
        WHERE state = 'unmatched' AND at <= ${before(OVERDUE_MS)}`;
    case 'money-set-aside':
      return sql`SELECT id::text AS subject, aside_text || ', asked for was ' || coalesce(amount_text, 'any amount in') || ' ' || currency AS detail,
          updated_at AS since FROM payments WHERE aside_text IS NOT NULL`;
    case 'partial-approval':
      // The rule cannot be carried out, or leaves the part to the merchant. A give-back under way ends by itself.
      return sql`SELECT id::text AS subject, coalesce(received_text || ' received', 'a part held') || ' of ' || amount_text || ' ' || currency AS detail,
          updated_at AS since FROM payments p WHERE state = 'partially_approved' AND poll_at IS NULL
          AND NOT EXISTS (SELECT FROM modifications a WHERE a.payment_id = p.id AND a.state IN ('requested', 'pending', 'unknown'))`;
    case 'paid-twice':
      // The newest attempt with money leads to the others. The payment that completed the session keeps its money.
      return sql`SELECT p.id::text AS subject,
          coalesce(p.received_text, p.amount_text, '') || ' ' || p.currency || ', also paid by ' || string_agg(DISTINCT o.id::text, ' ') AS detail,
          p.updated_at AS since FROM payments n JOIN sessions s ON s.id = n.session_id
          JOIN payments p ON p.session_id = s.id AND p.id <> s.paid_payment_id AND p.state IN ('settled', 'authorized')
          JOIN payments o ON o.session_id = s.id AND o.id <> p.id AND o.state IN ('settled', 'authorized')
        WHERE n.attempt > 1 AND n.state IN ('settled', 'authorized') AND n.updated_at > ${before(OPEN_MS)} AND p.poll_at IS NULL
          AND NOT EXISTS (SELECT FROM modifications a WHERE a.payment_id = p.id AND a.state IN ('requested', 'pending', 'unknown'))
        GROUP BY p.id`;
  }
}

/** The rows of a kind, as `o`, that are overdue and were not acted on for a day. */
function dueOf(kind: FindingKind, now: Expression<Date>): RawBuilder<unknown> {
  return sql`(${queryOf(kind, now)}) o
    WHERE NOT EXISTS (SELECT FROM findings f
      WHERE f.kind = ${kind} AND f.subject = o.subject AND f.handled_at > ${now} - ${milliseconds(AGAIN_MS)})`;
}

/** The findings of reconciliation, and when they were last acted on. */
export class FindingsStore {
  readonly #db: Db;
  readonly #clock: SqlClock;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Takes findings that are overdue and were not acted on for a day; of several callers one gets each. */
  async take(kind: FindingKind): Promise<Finding[]> {
    const now = this.#clock();
    const taken = await sql<Finding>`
      WITH due AS (SELECT o.subject, o.detail FROM ${dueOf(kind, now)} LIMIT ${LIMIT}::integer)
      INSERT INTO findings AS f (kind, subject, detail, found_at, handled_at) SELECT ${kind}, subject, detail, ${now}, ${now} FROM due
      ON CONFLICT (kind, subject) DO UPDATE SET handled_at = ${now}, detail = excluded.detail
        WHERE f.handled_at <= ${now} - ${milliseconds(AGAIN_MS)}
      RETURNING kind, subject, detail, found_at = handled_at AS is_new`.execute(this.#db);
    return taken.rows;
  }

  /** Records what has been reported to the operator already, so that reconciliation does not report it again. */
  async record(kind: FindingKind, subject: string, detail: string): Promise<void> {
    const now = this.#clock();
    await sql`INSERT INTO findings (kind, subject, detail, found_at, handled_at) VALUES (${kind}, ${subject}, ${detail}, ${now}, ${now})
      ON CONFLICT (kind, subject) DO NOTHING`.execute(this.#db);
  }

  /** Everything that holds now, the oldest first; of each kind at most so many. */
  async list(limit: number): Promise<Attention[]> {
    const now = this.#clock();
    const parts = [...FINDING_KINDS, ...REPORTED_AT_ONCE].map(
      (kind) => sql`(SELECT ${kind}::text AS kind, o.subject, o.detail, o.since,
        greatest(0, extract(epoch FROM ${now} - o.since))::integer AS age_seconds
        FROM (${queryOf(kind, now)}) o ORDER BY o.since LIMIT ${limit}::integer)`,
    );
    const { rows } = await sql<Attention>`
      SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) a ORDER BY since, kind, subject`.execute(this.#db);
    return rows;
  }

  /** A breaker of an account opened, or stayed open. The first time counts as its beginning. */
  async breakerOpened(mid: string, why: string): Promise<void> {
    const now = this.#clock();
    await sql`INSERT INTO findings AS f (kind, subject, detail, found_at, handled_at) VALUES ('breaker-open', ${mid}, ${why}, ${now}, ${now})
      ON CONFLICT (kind, subject) DO UPDATE SET detail = excluded.detail, handled_at = ${now},
        found_at = CASE WHEN f.handled_at > ${now} - ${milliseconds(BREAKER_MS)} THEN f.found_at ELSE ${now} END`.execute(
      this.#db,
    );
  }

  /** The account answers a process again. */
  async breakerClosed(mid: string): Promise<void> {
    await sql`DELETE FROM findings WHERE kind = 'breaker-open' AND subject = ${mid}`.execute(this.#db);
  }

  /**
   * The kinds with something new to report, and the kinds with a finding that was handled more than a day ago. Most often there are none,
   * and then one query answers for all kinds.
   */
  async kinds(): Promise<{ readonly open: readonly FindingKind[]; readonly old: readonly FindingKind[] }> {
    const now = this.#clock();
    const parts = FINDING_KINDS.map(
      (kind) => sql`
        SELECT ${kind}::text AS kind, EXISTS (SELECT FROM ${dueOf(kind, now)}) AS is_open,
          EXISTS (SELECT FROM findings WHERE kind = ${kind} AND handled_at <= ${now} - ${milliseconds(AGAIN_MS)}) AS is_old`,
    );
    const { rows } = await sql<{ kind: FindingKind; isOpen: boolean; isOld: boolean }>`
      ${sql.join(parts, sql` UNION ALL `)}`.execute(this.#db);
    const kindsOf = (has: 'isOpen' | 'isOld') => rows.filter((row) => row[has]).map(({ kind }) => kind);
    return { open: kindsOf('isOpen'), old: kindsOf('isOld') };
  }

  /** Forgets findings that no longer hold: if one comes back, it is reported again. @returns how many */
  async forget(kind: FindingKind): Promise<number> {
    const now = this.#clock();
    const gone = await sql`
      DELETE FROM findings f WHERE kind = ${kind} AND handled_at <= ${now} - ${milliseconds(AGAIN_MS)}
        AND NOT EXISTS (SELECT FROM (${queryOf(kind, now)}) o WHERE o.subject = f.subject)`.execute(this.#db);
    return Number(gone.numAffectedRows ?? 0n);
  }
}

export const findingsStore = (db: Db, clock: SqlClock): FindingsStore => new FindingsStore(db, clock);
