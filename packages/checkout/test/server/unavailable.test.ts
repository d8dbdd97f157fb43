import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseUnavailableError, openDatabase } from '../../src/storage/index.ts';
import type { WaitLimits } from '../../src/storage/database/server.ts';
import { databaseProxy } from '../support/database-proxy.ts';
import { serverDatabase, type ServerDatabase } from '../support/server-database.ts';

let database: ServerDatabase;
let proxy: Awaited<ReturnType<typeof databaseProxy>>;
beforeEach(async () => {
  database = await serverDatabase();
  proxy = await databaseProxy(database.url);
});
afterEach(async () => {
  await proxy.close();
  await database.remove();
});

const open = (limits: Partial<WaitLimits>, poolSize = 2) => openDatabase({ url: proxy.url, poolSize, limits });
const effectOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: unknown) => (error instanceof DatabaseUnavailableError ? error.effect : error),
  );

describe('a statement', () => {
  it('that the server does not answer fails with an unknown result, and the next one is answered', async () => {
    const { db, close } = await open({ silenceMs: 3000 });
    await sql`SELECT 1`.execute(db);
    proxy.state.mute = true;
    expect(await effectOf(sql`SELECT 1`.execute(db))).toBe('unknown');
    proxy.state.mute = false;
    expect(await effectOf(sql`SELECT 1`.execute(db))).toBe('answered');
    await close();
  });

  it('whose connection is ended fails with an unknown result', async () => {
    const { db, close } = await open({});
    expect(await effectOf(sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(db))).toBe('unknown');
    proxy.state.loseAnswerTo = 'SELECT 7';
    expect(await effectOf(sql`SELECT 7`.execute(db))).toBe('unknown');
    await close();
  });

  it('that takes too long, or for which no connection is free in time, has changed nothing', async () => {
    // A busy machine needs its time to open the first connection.
    const { db, close } = await open({ statementMs: 6000, connectMs: 3000 }, 1);
    const slow = effectOf(sql`SELECT pg_sleep(60)`.execute(db));
    expect(await effectOf(sql`SELECT 1`.execute(db))).toBe('none');
    expect(await slow).toBe('none');
    await close();
  });

  it('for which there is no connection has changed nothing, and the next one is answered when there is one', async () => {
    const { db, close } = await open({});
    proxy.state.closed = true;
    await expect(
      db.connection().execute((connection) => sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(connection)),
    ).rejects.toThrow(DatabaseUnavailableError);
    expect(await effectOf(sql`SELECT 1`.execute(db))).toBe('none');
    proxy.state.closed = false;
    expect(await effectOf(sql`SELECT 1`.execute(db))).toBe('answered');
    await close();
  });

  it('that is wrong is no matter of the server', async () => {
    const { db, close } = await open({});
    expect(await effectOf(sql`SELECT nothing`.execute(db))).toMatchObject({ code: '42703' });
    await close();
  });
});

describe('opening', () => {
  it.each([
    { what: 'a wrong password', change: (url: URL) => (url.password = 'hush-hush'), says: /password authentication/ },
    { what: 'a database that is not there', change: (url: URL) => (url.pathname = '/nowhere'), says: /does not exist/ },
    { what: 'a server that is not there', change: (url: URL) => (url.port = '1'), says: /ECONNREFUSED/ },
  ])('fails with $what, and says so without the password', async ({ change, says }) => {
    const url = new URL(database.url);
    change(url);
    const failed: unknown = await openDatabase({ url: url.href }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(DatabaseUnavailableError);
    expect(String(failed)).toMatch(says);
    expect(String(failed)).not.toContain(url.password);
  });
});
