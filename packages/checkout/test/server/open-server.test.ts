import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { DatabaseTooNewError, databaseClock, openDatabase, sessionsStore } from '../../src/storage/index.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import { newSession } from '../support/rows.ts';
import { serverDatabase, type ServerDatabase } from '../support/server-database.ts';

const made: ServerDatabase[] = [];
async function database(template?: 'template0'): Promise<ServerDatabase> {
  const one = await serverDatabase(template);
  made.push(one);
  return one;
}
afterEach(async () => {
  for (const each of made.splice(0)) await each.remove();
});

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}

describe('openDatabase on a server', () => {
  it('brings an empty database up to date, once, whichever of many starts first', async () => {
    const { url } = await database('template0');
    const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase({ url })));
    const session = newSession();
    await sessionsStore(opened[0]?.db ?? expect.fail(), databaseClock).create(session);
    expect(await sessionsStore(opened[3]?.db ?? expect.fail(), databaseClock).find(session.id)).toMatchObject({
      requestText: session.requestText,
    });
    expect(await ask(url, 'SELECT name FROM kysely_migration ORDER BY name')).toEqual(
      Object.keys(migrations).map((name) => ({ name })),
    );
    await Promise.all(opened.map(({ close }) => close()));
  });

  it('refuses a database that a newer version made', async () => {
    const { url } = await database();
    await ask(url, `INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01')`);
    await expect(openDatabase({ url })).rejects.toBeInstanceOf(DatabaseTooNewError);
  });

  it('refuses a database that cannot hold every text', async () => {
    const { url } = await database();
    const name = `latin_${new URL(url).pathname.slice(6)}`;
    await ask(url, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1'`);
    const latin = url.replace(/[^/]*$/, name);
    await expect(openDatabase({ url: latin })).rejects.toThrow("The database's encoding is LATIN1; it must be UTF8.");
    await ask(url, `DROP DATABASE ${name}`);
  });

  it('says its name and opens no more connections than it may', async () => {
    const { url } = await database();
    const opened = await openDatabase({ url, poolSize: 3 });
    await Promise.all(Array.from({ length: 20 }, () => sql`SELECT pg_sleep(0.01)`.execute(opened.db)));
    const mine = `SELECT count(*)::integer AS n FROM pg_stat_activity WHERE application_name = 'railyard-checkout' AND datname = current_database()`;
    expect(await ask(url, mine)).toEqual([{ n: 3 }]);
    await opened.close();
  });

  it('lives on when its connections are ended, idle or in hand, and opens new ones', async () => {
    const { url } = await database();
    const lost: string[] = [];
    const opened = await openDatabase({ url, poolSize: 3, onLost: (why) => lost.push(why) });
    const endAll = () =>
      ask(
        url,
        'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
      );
    await Promise.all(Array.from({ length: 3 }, () => sql`SELECT pg_sleep(0.01)`.execute(opened.db)));
    await endAll();
    const inHand = opened.db.connection().execute(async (connection) => {
      await sql`SELECT 1`.execute(connection);
      await endAll();
      await sql`SELECT 1`.execute(connection);
    });
    await expect(inHand).rejects.toThrow();
    expect((await sql`SELECT 1 AS one`.execute(opened.db)).rows).toEqual([{ one: 1 }]);
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.join()).not.toContain(new URL(url).password);
    await opened.close();
  });
});
