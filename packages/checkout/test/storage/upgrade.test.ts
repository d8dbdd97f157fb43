import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { afterEach, expect, inject, test } from 'vitest';
import { migrate } from '../../src/storage/migrate.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import type { Db } from '../../src/storage/db.ts';
import { kyselyOnServer, kyselyOver } from '../../src/storage/open-database.ts';
import { databaseClock, paymentsStore } from '../../src/storage/index.ts';
import { beginPayment } from '../support/rows.ts';
import { serverDatabase } from '../support/server-database.ts';

let close = async () => {};
afterEach(() => close());

/** A database without any table. */
async function emptyDatabase(): Promise<Db> {
  if (inject('engine') === 'embedded') {
    const db = kyselyOver(await PGlite.create());
    close = () => db.destroy();
    return db;
  }
  const database = await serverDatabase('template0');
  const db = kyselyOnServer(database);
  close = async () => {
    await db.destroy();
    await database.remove();
  };
  return db;
}

/** As it was before codes had an end. */
const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0080'));

test(
  'a database with open codes becomes the newest, and each code keeps the end that can be read',
  { timeout: 60_000 },
  async () => {
    const db = await emptyDatabase();
    await migrate(db, before);
    const shown = {
      good: JSON.stringify({ kind: 'qr', content: 'a', validUntil: '2026-11-29T12:00:00Z' }),
      timeless: JSON.stringify({ kind: 'qr', content: 'a' }),
      unreadable: JSON.stringify({ kind: 'qr', content: 'a', validUntil: 'next Sunday' }),
      impossible: JSON.stringify({ kind: 'qr', content: 'a', validUntil: '2026-02-31T12:00:00Z' }),
      withNul: JSON.stringify({ kind: 'qr', content: '\0', validUntil: '2026-11-29T12:00:00Z' }),
      withHalf: JSON.stringify({ kind: 'qr', content: '\ud800', validUntil: '2026-11-29T12:00:00Z' }),
    };
    const ends: Record<string, string | undefined> = {};
    const ids: Record<string, string> = {};
    for (const [name, show] of Object.entries(shown)) {
      // The column has another name today.
      await sql`ALTER TABLE payments RENAME COLUMN reference TO merchant_reference`.execute(db);
      const { payment } = await beginPayment(db, databaseClock);
      await sql`ALTER TABLE payments RENAME COLUMN merchant_reference TO reference`.execute(db);
      ids[name] = payment.id;
      await sql`UPDATE payments SET state = 'pending', provider_reference = ${name}, show_text = ${show}, version = version + 1
      WHERE id = ${payment.id}::uuid`.execute(db);
      await sql`INSERT INTO payment_references (connector_id, mid_id, reference, payment_id, watched, created_at)
      VALUES ('test', 'mid-1', ${name}, ${payment.id}::uuid, true, now())`.execute(db);
    }
    expect(await migrate(db, migrations)).not.toEqual([]);
    for (const [name, id] of Object.entries(ids)) {
      const [code] = await paymentsStore(db, databaseClock).referencesOf(id);
      ends[name] = code?.payableUntil?.toISOString();
    }
    expect(ends).toEqual({ good: '2026-11-29T12:00:00.000Z' });
  },
);
