import { sql } from 'kysely';
import { insertCallbacks, type NewCallback } from './callback-parts.ts';
import type { Db } from './db.ts';
import { parameters } from './row-values.ts';
import type { SqlClock } from './sql-clock.ts';

/** Has a payment called back as it was stored, once: of one that has changed or was reported since, nothing is written. */
export async function reportStored(
  db: Db,
  clock: SqlClock,
  paymentId: string,
  callbacks: readonly NewCallback[],
): Promise<void> {
  if (callbacks.length === 0) return;
  await sql`
    WITH changed AS (
      UPDATE payments SET callbacks = ${callbacks.length}::integer
      WHERE id = ${paymentId}::uuid AND version = 1 AND callbacks = 0 RETURNING *
    ), outbox AS (${insertCallbacks(callbacks, undefined, parameters, clock())}
    )
    SELECT FROM outbox`.execute(db);
}
