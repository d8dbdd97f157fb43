import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pgBouncer, requireTool } from '../../../../test/support/tool.ts';
import { type Database, openDatabase } from '../../src/storage/index.ts';
import { startPgBouncer } from '../support/pg-bouncer.ts';
import { serverDatabase, type ServerDatabase } from '../support/server-database.ts';

let server: ServerDatabase;
const ends: (() => Promise<void>)[] = [];
beforeEach(async () => {
  server = await serverDatabase();
});
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  await server.remove();
});

async function open(url: string): Promise<Database> {
  const database = await openDatabase({ url, poolSize: 3 });
  ends.push(() => database.close());
  return database;
}

test('a start through a pooler that gives each transaction another connection is refused, and says what to set', async (ctx) => {
  const pooler = await startPgBouncer(requireTool(ctx, pgBouncer), server.url, 'transaction');
  ends.push(pooler.close);
  await expect(open(pooler.url)).rejects.toThrow(/does not keep sessions.*Set pool_mode = session/);
});

test('a start through a pooler that keeps sessions is served, prepared statements included', async (ctx) => {
  const pooler = await startPgBouncer(requireTool(ctx, pgBouncer), server.url, 'session');
  ends.push(pooler.close);
  const { db } = await open(pooler.url);
  for (let time = 0; time < 5; time += 1)
    expect((await sql`SELECT ${time}::integer AS n`.execute(db)).rows).toEqual([{ n: time }]);
});

test('a name of a prepared statement means the same text in two processes that meet their statements in another order', async () => {
  const texts = ['SELECT 1 AS one_thing', 'SELECT 2 AS other_thing'];
  const prepared: { readonly name: string; readonly statement: string }[] = [];
  for (const order of [texts, texts.toReversed()]) {
    const { db } = await open(server.url);
    await db.connection().execute(async (connection) => {
      for (const text of order) for (let time = 0; time < 3; time += 1) await sql.raw(text).execute(connection);
      const { rows } = await sql<{ name: string; statement: string }>`
        SELECT name, statement FROM pg_prepared_statements WHERE statement LIKE '%_thing'`.execute(connection);
      prepared.push(...rows);
    });
  }
  expect(prepared.length).toBe(4);
  expect(new Set(prepared.map(({ name }) => name)).size).toBe(2);
  expect(new Set(prepared.map(({ name, statement }) => `${name} ${statement}`)).size).toBe(2);
});
