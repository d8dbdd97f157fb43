import { createHash } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { afterEach, expect, inject, test } from 'vitest';
import { migrate } from '../../src/storage/database/open.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import type { Db } from '../../src/storage/database/sql.ts';
import { kyselyOnServer, kyselyOver } from '../../src/storage/database/open.ts';
import { databaseClock, paymentsStore, sessionsStore } from '../../src/storage/index.ts';
import { newSession } from '../support/rows.ts';
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

const migrationsBefore = (name: string) =>
  Object.fromEntries(Object.entries(migrations).filter(([each]) => each < name));

/** A session as a process of an earlier version stores it. */
async function earlierSession(db: Db, { hasPage = true } = {}): Promise<string> {
  const id = crypto.randomUUID();
  await sql`INSERT INTO sessions (id, merchant_key, operation, order_number, token_hash, request_text, hash_dialect, hash_digest, test,
    has_page, created_at, expires_at)
    VALUES (${id}::uuid, 'm', 'purchase', ${id}, ${createHash('sha256').update(id).digest('hex')}, '{}', 'ascii', 'md5', false,
    ${hasPage}::boolean, now(), now() + interval '1 hour')`.execute(db);
  return id;
}

/** A payment that has just begun, as a process of an earlier version stores it. */
async function earlierPayment(db: Db): Promise<string> {
  const id = await earlierSession(db);
  await sql`INSERT INTO payments (id, session_id, merchant_key, operation, order_number, reference, method, method_alias, connector_id,
    connector_version, mid_id, attempt, payer_try, state, currency, amount_open, version, created_at, updated_at)
    VALUES (${id}::uuid, ${id}::uuid, 'm', 'purchase', ${id}, ${id}, 'pix', 'pix', 'test', '1.0.0', 'mid-1', 1, 1, 'created', 'BRL', true, 1,
    now(), now())`.execute(db);
  return id;
}

test('a database with open codes becomes the newest, and each code keeps the end that can be read', async () => {
  const db = await emptyDatabase();
  // As it was before codes had an end.
  await migrate(db, migrationsBefore('0080'));
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
    const id = await earlierPayment(db);
    ids[name] = id;
    await sql`UPDATE payments SET state = 'pending', provider_reference = ${name}, show_text = ${show}, version = version + 1
      WHERE id = ${id}::uuid`.execute(db);
    await sql`INSERT INTO payment_references (connector_id, mid_id, reference, payment_id, watched, created_at)
      VALUES ('test', 'mid-1', ${name}, ${id}::uuid, true, now())`.execute(db);
  }
  expect(await migrate(db, migrations)).not.toEqual([]);
  for (const [name, id] of Object.entries(ids)) {
    const [code] = await paymentsStore(db, databaseClock).referencesOf(id);
    ends[name] = code?.payableUntil?.toISOString();
  }
  expect(ends).toEqual({ good: '2026-11-29T12:00:00.000Z' });
});

test('a session with a page has its payer there, one without has none, also where an earlier version stores it beside the newest', async () => {
  const db = await emptyDatabase();
  const sessions = sessionsStore(db, databaseClock);
  const presenceOf = async (id: string) => (await sessions.find(id))?.payerPresence;
  await migrate(db, migrationsBefore('0091'));
  const earlier = [await earlierSession(db), await earlierSession(db, { hasPage: false })];
  await migrate(db, migrations);
  const beside = [await earlierSession(db), await earlierSession(db, { hasPage: false })];
  for (const [page, none] of [earlier, beside]) {
    expect(await presenceOf(page ?? '')).toBe('page');
    expect(await presenceOf(none ?? '')).toBe('none');
  }
});

test('a process of an earlier version shows a page for no session but those on our page', async () => {
  const db = await emptyDatabase();
  await migrate(db, migrations);
  for (const payerPresence of ['page', 'merchant', 'none'] as const) {
    const session = newSession({ payerPresence });
    await sessionsStore(db, databaseClock).create(session);
    const stored = sql<{ hasPage: boolean }>`SELECT has_page FROM sessions WHERE id = ${session.id}::uuid`;
    expect((await stored.execute(db)).rows).toEqual([{ hasPage: payerPresence === 'page' }]);
  }
});
