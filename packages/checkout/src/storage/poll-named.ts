import { sql } from 'kysely';
import type { Db } from './db.ts';
import { milliseconds, type SqlClock } from './sql-clock.ts';

/** A payment as its provider names it. */
export interface NamedPayment {
  readonly connectorId: string;
  readonly midId: string;
  readonly providerReference: string;
}

const SOON_MS = 1000;

/** Has the provider asked soon about the open payment of a reference, see `pollSoon`. @returns false where there is none */
export async function pollNamedSoon(
  db: Db,
  clock: SqlClock,
  { connectorId, midId, providerReference }: NamedPayment,
): Promise<boolean> {
  const soon = sql`${clock()} + ${milliseconds(SOON_MS)}`;
  const planned = await sql`
    UPDATE payments p SET poll_at = least(coalesce(p.poll_at, ${soon}), ${soon})
    FROM payment_references r
    WHERE r.connector_id = ${connectorId} AND r.mid_id = ${midId} AND r.provider_reference = ${providerReference}
      AND p.id = r.payment_id AND p.state IN ('created', 'pending', 'partially_approved')`.execute(db);
  return (planned.numAffectedRows ?? 0n) > 0n;
}

/** A hint may be about a capture, void or refund under way: each is asked about soon as well, one lookup a second at most. */
export async function pollModificationsSoon(db: Db, clock: SqlClock, paymentId: string): Promise<void> {
  const soon = sql`${clock()} + ${milliseconds(SOON_MS)}`;
  await sql`UPDATE modifications SET poll_at = least(poll_at, ${soon})
    WHERE payment_id = ${paymentId}::uuid AND state IN ('requested', 'pending', 'unknown') AND (poll_at IS NULL OR poll_at > ${soon})`.execute(
    db,
  );
}
