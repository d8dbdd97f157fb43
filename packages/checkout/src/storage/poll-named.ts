import { type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';
import { milliseconds, type SqlClock } from './sql-clock.ts';

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
  /** The reference is that of an open payment. */
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
