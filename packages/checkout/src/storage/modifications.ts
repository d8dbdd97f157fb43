import { sql, type RawBuilder } from 'kysely';
import { fromJsonText, milliseconds, toJsonText, type Db, type SqlClock } from './database/sql.ts';
import type { PaymentFacts } from '@railyard/core';
import type { ModificationsTable, Selectable } from './tables.ts';
import * as z from 'zod';
import type { StoredMoney } from './payment.ts';

export interface ClaimedPolls {
  /** Rows with `id`, `mid_id`, `poll_at` and `polls`, and an index of those to be asked about by MID and time. */
  readonly table: 'payments' | 'modifications' | 'chains';
  /** Whether the row `t` is not to be asked about yet, because its request may still be sent. */
  readonly isRunning: RawBuilder<unknown>;
  readonly limit: number;
  /** When a row comes again unless something else is decided meanwhile, in milliseconds. */
  readonly holdMs: number;
  readonly exceptMids: readonly string[];
}

/**
 * Takes rows whose provider is to be asked now, or charged, the longest due first, each counted as one poll. Two callers never get the same one. Each MID is
 * looked at by itself: however much waits for a hanging one, the others cost the same.
 */
export async function claimPolls<Row>(
  db: Db,
  clock: SqlClock,
  { table, isRunning, limit, holdMs, exceptMids }: ClaimedPolls,
): Promise<Row[]> {
  const now = clock();
  const rows = sql.table(table);
  const claimed = await sql<Row>`
    WITH RECURSIVE mids AS (
      (SELECT mid_id FROM ${rows} WHERE poll_at IS NOT NULL ORDER BY mid_id LIMIT 1)
      UNION ALL
      SELECT next.mid_id FROM mids m CROSS JOIN LATERAL (
        SELECT mid_id FROM ${rows} WHERE poll_at IS NOT NULL AND mid_id > m.mid_id ORDER BY mid_id LIMIT 1
      ) AS next
    ), first AS MATERIALIZED (
      SELECT f.id, f.poll_at FROM mids m CROSS JOIN LATERAL (
        SELECT id, poll_at FROM ${rows} t WHERE mid_id = m.mid_id AND poll_at <= ${now} AND NOT ${isRunning}
        ORDER BY poll_at LIMIT ${limit}::integer
      ) AS f
      WHERE m.mid_id NOT IN (SELECT json_array_elements_text(${toJsonText(exceptMids)}::json))
    ), due AS (
      -- Looked at again under the lock: another process may have taken it since.
      SELECT t.id FROM ${rows} t JOIN first ON first.id = t.id
      WHERE t.poll_at <= ${now} ORDER BY first.poll_at LIMIT ${limit}::integer FOR UPDATE OF t SKIP LOCKED
    )
    UPDATE ${rows} t SET polls = polls + 1, poll_at = ${now} + ${milliseconds(holdMs)}
    FROM due WHERE t.id = due.id
    RETURNING t.*`.execute(db);
  return claimed.rows;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 3600 * SECOND;
/** Lookups that hints about one ended payment lead to, in a day. */
const HINTS_A_DAY = 24;

/**
 * Has the provider asked about a payment that has ended, because a hint says that something changed: late money is found so. Anybody can send
 * hints, so that one payment is asked about so many times a day, and the ended payments of one MID are asked about one a second. The
 * bounds stand in the database: they hold over restarts and for all processes together.
 *
 * A lookup that a hint has planned (`hint_poll_at`) keeps its time, and a further hint costs nothing. A hint that comes while the provider is asked has it
 * asked again (see `endPolls`). Beyond the day's number the provider is asked once that day is over.
 */
export async function scheduleLateLookup(db: Db, clock: SqlClock, paymentId: string): Promise<void> {
  const now = clock();
  const day = sql`${now} - ${milliseconds(DAY)}`;
  const soon = sql`${now} + ${milliseconds(SECOND)}`;
  await sql`
    WITH next AS (
      SELECT p.id, greatest(${soon}, (SELECT max(o.poll_at) + ${milliseconds(SECOND)} FROM payments o
          WHERE o.mid_id = p.mid_id AND o.id <> p.id AND o.poll_at <= ${now} + ${milliseconds(DAY / 2)}
            AND o.state NOT IN ('created', 'pending', 'partially_approved')
            -- The rest of an answer that was incomplete is asked for at a time of its own.
            AND (o.poll_at <= ${now} + ${milliseconds(MINUTE)} OR o.poll_at = o.hint_poll_at)
            -- A lookup that waits for the next day is no part of the queue.
            AND (o.hinted_since IS NULL OR o.poll_at < o.hinted_since + ${milliseconds(DAY)}))) AS place
      FROM payments p WHERE p.id = ${paymentId}::uuid
    )
    UPDATE payments p SET
      (poll_at, hint_poll_at) = (SELECT planned, planned FROM (SELECT CASE
        WHEN p.hinted_since > ${day} AND p.hints >= ${HINTS_A_DAY}::integer THEN
          -- A lookup that is due, or planned for later than one under way ends, keeps its time.
          CASE WHEN p.poll_at <= ${now} OR p.poll_at > ${now} + ${milliseconds(MINUTE)} THEN p.poll_at
            ELSE p.hinted_since + ${milliseconds(DAY + SECOND)} END
        -- The lookup under way holds its row until then.
        WHEN p.poll_at <= n.place THEN p.poll_at + ${milliseconds(1)}
        ELSE n.place END AS planned) AS one),
      hints = CASE WHEN p.hinted_since > ${day} THEN p.hints + 1 ELSE 1 END,
      hinted_since = CASE WHEN p.hinted_since > ${day} THEN p.hinted_since ELSE ${now} END
    FROM next n
    WHERE p.id = n.id AND p.state NOT IN ('created', 'pending', 'partially_approved')
      AND (p.poll_at IS NULL OR p.poll_at IS DISTINCT FROM p.hint_poll_at)`.execute(db);
}

type Row = Selectable<ModificationsTable>;

/** A capture, void, release or refund as it stands. */
export type Modification = Omit<Row, 'amountText' | 'amountMinor' | 'currency' | 'factsText'> & {
  readonly amount: StoredMoney;
  /** The facts that the provider has reported of a refund. */
  readonly facts: PaymentFacts;
};

const factsSchema = z.record(z.string(), z.string());

function modificationOf({ amountText, amountMinor, currency, factsText, ...rest }: Row): Modification {
  const facts = factsSchema.parse(fromJsonText(factsText));
  return { ...rest, facts, amount: { text: amountText, minor: BigInt(amountMinor), currency } };
}

const OPEN = ['requested', 'pending', 'unknown'] as const;

/** Modifications on payments. They begin and change with their payment, by `paymentsStore.applyTransition`. */
export class ModificationsStore {
  readonly #db: Db;
  readonly #clock: SqlClock;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
  }

  async find(id: string): Promise<Modification | undefined> {
    const row = await this.#db.selectFrom('modifications').selectAll().where('id', '=', id).executeTakeFirst();
    return row && modificationOf(row);
  }

  /** The modifications on a payment, oldest first. */
  async ofPayment(paymentId: string): Promise<Modification[]> {
    const rows = await this.#db
      .selectFrom('modifications')
      .selectAll()
      .where('paymentId', '=', paymentId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute();
    return rows.map(modificationOf);
  }

  /** Those of these modifications whose request is under way, or is to be sent again. */
  async running(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#db
      .selectFrom('flowRuns')
      .select('runId')
      .where('runId', 'in', [...ids])
      .where('state', '=', 'running')
      .execute();
    return new Set(rows.map(({ runId }) => runId));
  }

  /** Takes modifications whose provider is to be asked now, except those whose request is still under way, see `claimPolls`. */
  async claimDuePolls(limit: number, holdMs: number, exceptMids: readonly string[] = []): Promise<Modification[]> {
    const isRunning = sql`EXISTS (SELECT FROM flow_runs r WHERE r.run_id = t.id AND r.state = 'running')`;
    const polls = { table: 'modifications', isRunning, limit, holdMs, exceptMids } as const;
    return (await claimPolls<Row>(this.#db, this.#clock, polls)).map(modificationOf);
  }

  /** When the provider is asked about it next; `null`: not by itself any more. A modification that has ended is not asked about. */
  async schedulePoll(id: string, inMs: number | null): Promise<void> {
    const pollAt = inMs === null ? null : sql<Date>`${this.#clock()} + ${milliseconds(inMs)}`;
    await this.#db
      .updateTable('modifications')
      .set({ pollAt })
      .where('id', '=', id)
      .where('state', 'in', [...OPEN])
      .execute();
  }
}

export const modificationsStore = (db: Db, clock: SqlClock): ModificationsStore => new ModificationsStore(db, clock);

/** A payment as its provider names it. */
export interface NamedPayment {
  readonly connectorId: string;
  readonly midId: string;
  readonly providerReference: string;
}

const SOON_MS = 1000;

const soonBy = (clock: SqlClock): RawBuilder<Date> => sql<Date>`${clock()} + ${milliseconds(SOON_MS)}`;

/** Of a modification `a`: it is under way, and its lookup comes later than `soon`, or not at all. */
const mayBeSooner = (soon: RawBuilder<Date>): RawBuilder<unknown> =>
  sql`a.state IN ('requested', 'pending', 'unknown') AND (a.poll_at IS NULL OR a.poll_at > ${soon})`;

/** The lookups that a hint has brought forward. */
export interface PlannedLookups {
  /** The reference belongs to an open payment. */
  readonly ofOpenPayment: boolean;
  readonly ofModifications: boolean;
}

export const NONE_PLANNED: PlannedLookups = { ofOpenPayment: false, ofModifications: false };

/** Has the provider asked soon about the open payment of a reference, and about its captures, voids and refunds under way, see `pollSoon`. */
export async function pollNamedSoon(
  db: Db,
  clock: SqlClock,
  { connectorId, midId, providerReference }: NamedPayment,
): Promise<PlannedLookups> {
  const soon = soonBy(clock);
  const { rows } = await sql<PlannedLookups>`
    WITH named AS (
      SELECT p.id FROM payment_references r JOIN payments p ON p.id = r.payment_id
      WHERE r.connector_id = ${connectorId} AND r.mid_id = ${midId} AND r.provider_reference = ${providerReference}
        AND p.state IN ('created', 'pending', 'partially_approved')
    ), open AS (
      UPDATE payments p SET poll_at = least(coalesce(p.poll_at, ${soon}), ${soon})
      FROM named n WHERE p.id = n.id AND p.state IN ('created', 'pending', 'partially_approved') RETURNING p.id
    ), under_way AS (
      UPDATE modifications a SET poll_at = ${soon} FROM named n WHERE a.payment_id = n.id AND ${mayBeSooner(soon)} RETURNING a.id
    )
    SELECT EXISTS (SELECT FROM open) AS of_open_payment, EXISTS (SELECT FROM under_way) AS of_modifications`.execute(
    db,
  );
  return rows[0] ?? NONE_PLANNED;
}

/** A hint may be about a capture, void or refund under way: each is asked about soon as well, one lookup a second at most. */
export async function pollModificationsSoon(db: Db, clock: SqlClock, paymentId: string): Promise<void> {
  const soon = soonBy(clock);
  await sql`UPDATE modifications a SET poll_at = ${soon} WHERE a.payment_id = ${paymentId}::uuid AND ${mayBeSooner(soon)}`.execute(
    db,
  );
}
