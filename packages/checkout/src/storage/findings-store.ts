import { type RawBuilder, sql } from 'kysely';
import type { Piece } from './piece.ts';
import type { Db } from './db.ts';
import { openAddresses } from './callback-parts.ts';
import { isLeft } from './payments-left.ts';
import { milliseconds, type SqlClock } from './sql-clock.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The ordinary work takes seconds; what is still there after this is not being done. */
const OVERDUE_MS = 30 * MINUTE;
/** A payment without a next lookup may be between two statements; after this it is not. */
const FORGOTTEN_MS = 10 * MINUTE;
/** Something is done about a finding at most this often. */
const AGAIN_MS = DAY;
/** Open payments and double payments are checked no longer than this. */
const OPEN_MS = 90 * DAY;
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
  'notification-overdue',
  'event-unmatched',
  'money-set-aside',
  'partial-approval',
  'paid-twice',
] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];

export interface Finding {
  readonly kind: FindingKind;
  readonly subject: string;
  readonly detail: string;
  /** Found for the first time; otherwise it is still there a day after. */
  readonly isNew: boolean;
}

function queryOf(kind: FindingKind, now: Piece<Date>): RawBuilder<unknown> {
  const before = (ms: number) => sql`${now} - ${milliseconds(ms)}`;
  switch (kind) {
    case 'outcome-unknown':
      return sql`SELECT id::text AS subject, 'since ' || updated_at AS detail FROM payments WHERE unknown AND state IN ('created', 'pending')`;
    case 'modification-unknown':
      return sql`SELECT id::text AS subject, kind || ' ' || payment_id AS detail FROM modifications WHERE state = 'unknown'`;
    case 'payment-without-lookup':
      return sql`SELECT id::text AS subject, CASE WHEN unknown THEN 'unknown' ELSE state END AS detail FROM payments p
        WHERE ${isLeft()} AND updated_at <= ${before(FORGOTTEN_MS)}
          AND created_at > ${before(OPEN_MS)}`;
    case 'lookup-overdue':
      return sql`SELECT id::text AS subject, mid_id AS detail FROM payments WHERE poll_at <= ${before(OVERDUE_MS)}`;
    case 'modification-without-lookup':
      // A modification's run has its id.
      return sql`SELECT id::text AS subject, kind || ' ' || payment_id AS detail FROM modifications a
        WHERE poll_at IS NULL AND state IN ('requested', 'pending', 'unknown') AND updated_at <= ${before(FORGOTTEN_MS)}
          AND created_at > ${before(OPEN_MS)}
          AND NOT EXISTS (SELECT FROM flow_runs r WHERE r.run_id = a.id AND r.state <> 'finished')`;
    case 'modification-lookup-overdue':
      return sql`SELECT id::text AS subject, kind || ' ' || payment_id AS detail FROM modifications WHERE poll_at <= ${before(OVERDUE_MS)}`;
    case 'run-overdue':
      return sql`SELECT run_id::text AS subject, purpose || ' ' || payment_id AS detail FROM flow_runs
        WHERE state = 'running' AND lease_until <= ${before(OVERDUE_MS)}`;
    case 'callback-overdue':
      // Callbacks to an address that is paused or disabled are meant to wait, and are not read.
      return sql`SELECT c.id AS subject, c.payment_id::text AS detail FROM (${openAddresses(now)}) o
          JOIN callbacks c ON c.url = o.url AND c.merchant_key = o.merchant_key
        WHERE c.state = 'waiting' AND c.next_try_at <= ${before(OVERDUE_MS)} AND (c.claimed_until IS NULL OR c.claimed_until <= ${now})
          AND NOT EXISTS (SELECT FROM callbacks e WHERE e.payment_id = c.payment_id AND e.state = 'waiting' AND e.seq < c.seq)`;
    case 'notification-overdue':
      return sql`SELECT id::text AS subject, mid_id AS detail FROM provider_notifications
        WHERE state = 'received' AND received_at <= ${before(OVERDUE_MS)}`;
    case 'event-unmatched':
      return sql`SELECT connector_id || ' ' || mid_id || ' ' || event_id AS subject, provider_reference AS detail FROM provider_events
        WHERE state = 'unmatched' AND at <= ${before(OVERDUE_MS)}`;
    case 'money-set-aside':
      return sql`SELECT id::text AS subject, aside_text || ', asked for was ' || coalesce(amount_text, 'any amount in') || ' ' || currency AS detail
        FROM payments WHERE aside_text IS NOT NULL`;
    case 'partial-approval':
      // The rule cannot be carried out, or leaves it to the merchant; what is under way ends by itself.
      return sql`SELECT id::text AS subject, coalesce(received_text || ' received', 'a part held') || ' of ' || amount_text || ' ' || currency AS detail
        FROM payments p WHERE state = 'partially_approved' AND poll_at IS NULL
          AND NOT EXISTS (SELECT FROM modifications a WHERE a.payment_id = p.id AND a.state IN ('requested', 'pending', 'unknown'))`;
    case 'paid-twice':
      // The newest attempt with money leads to the others. The payment that completed the session keeps its money.
      return sql`SELECT p.id::text AS subject,
          coalesce(p.received_text, p.amount_text, '') || ' ' || p.currency || ', also paid by ' || string_agg(DISTINCT o.id::text, ' ') AS detail
        FROM payments n JOIN sessions s ON s.id = n.session_id
          JOIN payments p ON p.session_id = s.id AND p.id <> s.paid_payment_id AND p.state IN ('settled', 'authorized')
          JOIN payments o ON o.session_id = s.id AND o.id <> p.id AND o.state IN ('settled', 'authorized')
        WHERE n.attempt > 1 AND n.state IN ('settled', 'authorized') AND n.updated_at > ${before(OPEN_MS)} AND p.poll_at IS NULL
          AND NOT EXISTS (SELECT FROM modifications a WHERE a.payment_id = p.id AND a.state IN ('requested', 'pending', 'unknown'))
        GROUP BY p.id`;
  }
}

/** Of a kind, as `o`: what is overdue and was not acted on for a day. */
function dueOf(kind: FindingKind, now: Piece<Date>): RawBuilder<unknown> {
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

  /**
   * The kinds of which there is something to take, and those of which something was acted on more than a day ago: most often none, and
   * one query then stands for all of them.
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

  /** Forgets what is no longer so: if it comes back it is reported again. @returns how many */
  async forget(kind: FindingKind): Promise<number> {
    const now = this.#clock();
    const gone = await sql`
      DELETE FROM findings f WHERE kind = ${kind} AND handled_at <= ${now} - ${milliseconds(AGAIN_MS)}
        AND NOT EXISTS (SELECT FROM (${queryOf(kind, now)}) o WHERE o.subject = f.subject)`.execute(this.#db);
    return Number(gone.numAffectedRows ?? 0n);
  }
}

export const findingsStore = (db: Db, clock: SqlClock): FindingsStore => new FindingsStore(db, clock);
