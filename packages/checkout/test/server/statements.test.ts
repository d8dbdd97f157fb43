import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  databaseClock,
  DatabaseUnavailableError,
  openDatabase,
  type Database,
  sessionsStore,
} from '../../src/storage/index.ts';
import { newSession } from '../support/rows.ts';
import { serverDatabase, type ServerDatabase } from '../support/server-database.ts';

let server: ServerDatabase;
let database: Database;
beforeEach(async () => {
  server = await serverDatabase();
  // One connection, so that the test sees what it has prepared.
  database = await openDatabase({ url: server.url, poolSize: 1 });
});
afterEach(async () => {
  await database.close();
  await server.remove();
});

const prepared = async (text: string): Promise<number> => {
  const found = await sql<{ calls: number }>`
    SELECT (generic_plans + custom_plans)::integer AS calls FROM pg_prepared_statements WHERE statement = ${text}`.execute(
    database.db,
  );
  return found.rows[0]?.calls ?? 0;
};

test('a statement is prepared from the third time on that it comes', async () => {
  const text = 'SELECT $1::integer AS given';
  const ask = () => sql<{ given: number }>`SELECT ${7}::integer AS given`.execute(database.db);
  for (const calls of [0, 0, 1, 2, 3]) {
    expect((await ask()).rows).toEqual([{ given: 7 }]);
    expect(await prepared(text)).toBe(calls);
  }
});

test('a query of several statements is refused by the server, which carries out none', async () => {
  await expect(sql`SELECT 1 AS one; SELECT 2 AS two`.execute(database.db)).rejects.toThrow(
    'cannot insert multiple commands into a prepared statement',
  );
});

test('a statement goes on when a newer version has changed its table', async () => {
  const sessions = sessionsStore(database.db, databaseClock);
  const session = newSession();
  await sessions.create(session);
  for (let time = 0; time < 5; time += 1) expect(await sessions.find(session.id)).toMatchObject({ id: session.id });
  await sql`ALTER TABLE sessions ADD COLUMN colour text DEFAULT 'red'`.execute(database.db);
  for (let time = 0; time < 5; time += 1)
    expect(await sessions.find(session.id)).toMatchObject({ id: session.id, colour: 'red' });
});

describe('a statement that the server undoes for another one', () => {
  const undoneTimes = async (times: number) => {
    await sql`CREATE SEQUENCE asked`.execute(database.db);
    await sql
      .raw(
        `CREATE FUNCTION undone() RETURNS integer LANGUAGE plpgsql AS $$ BEGIN
          IF nextval('asked') <= ${times} THEN RAISE EXCEPTION 'undone' USING ERRCODE = '40001'; END IF;
          RETURN currval('asked');
        END $$`,
      )
      .execute(database.db);
  };
  const ask = (db: Pick<Database['db'], 'getExecutor'>) => sql<{ undone: number }>`SELECT undone()`.execute(db);

  test('is asked again, twelve times', async () => {
    await undoneTimes(12);
    expect((await ask(database.db)).rows).toEqual([{ undone: 13 }]);
  });

  test('fails when it is undone thirteen times, without an effect', async () => {
    await undoneTimes(13);
    const failure = await ask(database.db).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatabaseUnavailableError);
    expect(failure).toMatchObject({ effect: 'none' });
  });

  test('is not asked again within a transaction, which is undone with it', async () => {
    await undoneTimes(1);
    await expect(database.db.transaction().execute((trx) => ask(trx))).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect((await ask(database.db)).rows).toEqual([{ undone: 2 }]);
  });
});
