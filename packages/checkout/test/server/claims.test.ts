import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  callbacksStore,
  databaseClock,
  modificationsStore,
  openDatabase,
  type Database,
  paymentsStore,
  sessionsStore,
} from '../../src/storage/index.ts';
import { findingsStore } from '../../src/storage/upkeep.ts';
import { MERCHANT_KEY } from '../support/rows.ts';
import { serverDatabase, type ServerDatabase } from '../support/server-database.ts';

const MANY = 200_000;
const DEAD = 'https://dead.example/callbacks';
const WORKS = 'https://works.example/callbacks';
/** Pages of 8 KB that a claim may read. Read from memory, 500 take about a millisecond; a claim that reads what waits for others reads thousands. */
const FEW_PAGES = 500;

let server: ServerDatabase;
let database: Database;

/** Callbacks of payments of their own, which are due. */
const due = (count: number, url: string, prefix: string) =>
  sql`INSERT INTO callbacks (id, payment_id, merchant_key, seq, url, content_type, body, next_try_at, created_at)
    SELECT ${prefix}::text || n, gen_random_uuid(), ${MERCHANT_KEY}::text, 1, ${url}::text, 'text/plain', 'body', now() - interval '1 minute', now()
    FROM generate_series(1, ${count}::integer) AS n`.execute(database.db);

beforeAll(async () => {
  server = await serverDatabase();
  // A busy machine needs its time to write so many rows.
  database = await openDatabase({ url: server.url, poolSize: 1, limits: { statementMs: 120_000, silenceMs: 120_000 } });
  // Their payments are not looked at.
  await sql`SET session_replication_role = replica`.execute(database.db);
  await due(MANY, DEAD, 'dead_');
  await due(20, WORKS, 'works_');
  await sql`ANALYZE callbacks`.execute(database.db);
  // The first statements of a connection also read what the tables are.
  await callbacksStore(database.db, databaseClock).claimDue(0, 0);
  await callbacksStore(database.db, databaseClock).list({}, 1);
});
afterAll(async () => {
  await database.close();
  await server.remove();
});

/** Pages that the database has read for this connection so far. */
async function pagesRead(): Promise<number> {
  await sql`SELECT pg_stat_force_next_flush()`.execute(database.db);
  const { rows } = await sql<{ pages: number }>`
    SELECT (blks_hit + blks_read)::integer AS pages FROM pg_stat_database WHERE datname = current_database()`.execute(
    database.db,
  );
  return rows[0]?.pages ?? 0;
}

describe('a claim of callbacks with 200,000 that wait for one address', () => {
  const claim = async (urls: readonly string[] = []) => {
    const before = await pagesRead();
    const claimed = await callbacksStore(database.db, databaseClock).claimDue(4, 0, { urls });
    const pages = (await pagesRead()) - before;
    return { addresses: [...new Set(claimed.map(({ url }) => url))], count: claimed.length, pages };
  };

  test.each([
    { is: 'busy', busy: [DEAD], make: sql`SELECT` },
    {
      is: 'paused',
      busy: [],
      make: sql`INSERT INTO callback_addresses (merchant_key, url, paused_until) VALUES (${MERCHANT_KEY}, ${DEAD}, now() + interval '1 hour')`,
    },
    {
      is: 'disabled',
      busy: [],
      make: sql`INSERT INTO disabled_callback_addresses (merchant_key, url, at) VALUES (${MERCHANT_KEY}, ${DEAD}, now())`,
    },
  ])('reads few pages when that address is $is, and finds what is due elsewhere', async ({ busy, make }) => {
    await make.execute(database.db);
    const { addresses, count, pages } = await claim(busy);
    expect({ addresses, count }).toEqual({ addresses: [WORKS], count: 4 });
    expect(pages).toBeLessThan(FEW_PAGES);
    await sql`DELETE FROM callback_addresses`.execute(database.db);
    await sql`DELETE FROM disabled_callback_addresses`.execute(database.db);
  });

  test('reads few pages when they are due', async () => {
    const { count, pages } = await claim();
    expect(count).toBe(4);
    expect(pages).toBeLessThan(FEW_PAGES);
  });

  test('reads few pages when others wait behind those that were tried', async () => {
    const payments = 1000;
    const url = 'https://behind.example/callbacks';
    await sql`INSERT INTO callbacks (id, payment_id, merchant_key, seq, url, content_type, body, next_try_at, created_at)
      SELECT 'behind_' || n || '_' || seq, md5(n::text)::uuid, ${MERCHANT_KEY}::text, seq, ${url}::text, 'text/plain', 'body',
        now() - interval '1 minute', now()
      FROM generate_series(1, ${payments}::integer) AS n, generate_series(1, 2) AS seq`.execute(database.db);
    const store = callbacksStore(database.db, databaseClock);
    const taken = await store.claimDue(payments, 60_000, { urls: [DEAD, WORKS] });
    expect(new Set(taken.map(({ seq }) => seq))).toEqual(new Set([1]));
    for (const callback of taken)
      await store.recordAttempt(callback, {
        status: 500,
        durationMs: 1,
        next: { state: 'waiting', retryInMs: 3_600_000 },
      });
    const { addresses, count, pages } = await claim([DEAD]);
    expect({ addresses, count }).toEqual({ addresses: [WORKS], count: 4 });
    expect(pages).toBeLessThan(FEW_PAGES);
  });
});

test('a list of the newest callbacks reads few pages of 200,000', async () => {
  const before = await pagesRead();
  const listed = await callbacksStore(database.db, databaseClock).list({}, 100);
  expect(listed).toHaveLength(100);
  expect((await pagesRead()) - before).toBeLessThan(FEW_PAGES);
});

test('a look for sessions whose time is over reads few pages when 100,000 stay open for their payments', async () => {
  await sql`INSERT INTO sessions (id, merchant_key, operation, order_number, token_hash, request_text, hash_dialect, hash_digest, test,
      payer_presence, live_payment_id, created_at, expires_at)
    SELECT gen_random_uuid(), ${MERCHANT_KEY}::text, 'purchase', n::text, encode(sha256(n::text::bytea), 'hex'), '{}', 'ascii', 'md5', false, 'page', gen_random_uuid(),
      now() - interval '2 hours', now() - interval '1 hour' - n * interval '1 millisecond'
    FROM generate_series(1, 100000) AS n`.execute(database.db);
  await sql`ANALYZE sessions`.execute(database.db);
  const sessions = sessionsStore(database.db, databaseClock);
  const first = await sessions.expireDue(500);
  const before = await pagesRead();
  const second = await sessions.expireDue(500, first.next);
  // A session is one page, its payment three or four.
  expect((await pagesRead()) - before).toBeLessThan(5 * FEW_PAGES);
  expect([first.ids, second.ids]).toEqual([[], []]);
  expect(second.next).toBeDefined();
});

test('a claim of lookups reads few pages when 50,000 wait for one MID that hangs', async () => {
  const due = (count: number, mid: string) =>
    sql`INSERT INTO payments (id, session_id, merchant_key, operation, order_number, merchant_reference, method, method_alias, connector_id,
        connector_version, mid_id, attempt, payer_try, state, amount_text, currency, amount_minor, amount_open, poll_at, version, created_at,
        updated_at)
      SELECT gen_random_uuid(), gen_random_uuid(), ${MERCHANT_KEY}::text, 'purchase', ${mid}::text || n, gen_random_uuid()::text, 'pix', 'pix', 'test',
        '1.0.0', ${mid}::text, 1, 1, 'pending', '10.00', 'BRL', 1000, false, now() - n * interval '1 millisecond', 1, now(), now()
      FROM generate_series(1, ${count}::integer) AS n`.execute(database.db);
  await due(50_000, 'hanging');
  await due(20, 'works');
  await sql`ANALYZE payments`.execute(database.db);
  const payments = paymentsStore(database.db, databaseClock);
  await payments.claimDuePolls(0, 0);
  for (const except of [['hanging'], []]) {
    const before = await pagesRead();
    const claimed = await payments.claimDuePolls(4, 60_000, except);
    expect(claimed).toHaveLength(4);
    expect((await pagesRead()) - before).toBeLessThan(FEW_PAGES);
  }
});

test('a claim of lookups of refunds reads few pages when 50,000 wait for one MID that hangs', async () => {
  const due = (count: number, mid: string) =>
    sql`INSERT INTO modifications (id, payment_id, mid_id, kind, amount_text, amount_minor, currency, state, poll_at, created_at, updated_at)
      SELECT gen_random_uuid(), gen_random_uuid(), ${mid}::text, 'refund', '1.00', 100, 'BRL', 'pending',
        now() - n * interval '1 millisecond', now(), now()
      FROM generate_series(1, ${count}::integer) AS n`.execute(database.db);
  await due(50_000, 'hanging');
  await due(20, 'works');
  await sql`ANALYZE modifications`.execute(database.db);
  const modifications = modificationsStore(database.db, databaseClock);
  await modifications.claimDuePolls(0, 0);
  for (const except of [['hanging'], []]) {
    const before = await pagesRead();
    const claimed = await modifications.claimDuePolls(4, 60_000, except);
    expect(claimed).toHaveLength(4);
    expect((await pagesRead()) - before).toBeLessThan(FEW_PAGES);
  }
});

test('a look for overdue callbacks reads few pages when those of a paused address wait', async () => {
  await sql`INSERT INTO callback_addresses (merchant_key, url, paused_until) VALUES (${MERCHANT_KEY}, ${DEAD}, now() + interval '1 day')
    ON CONFLICT (merchant_key, url) DO UPDATE SET paused_until = excluded.paused_until`.execute(database.db);
  await sql`UPDATE callbacks SET next_try_at = now() - interval '1 hour' WHERE url = ${WORKS}`.execute(database.db);
  const findings = findingsStore(database.db, databaseClock);
  const before = await pagesRead();
  expect(await findings.take('callback-overdue')).toHaveLength(20);
  expect((await pagesRead()) - before).toBeLessThan(FEW_PAGES);
});
