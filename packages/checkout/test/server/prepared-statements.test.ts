import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as fc from '../../../../test/support/properties.ts';
import { openDatabase, type Database } from '../../src/storage/index.ts';
import { type StatementLog, statementLog } from '../support/statement-log.ts';
import { serverDatabase, type ServerDatabase } from '../support/server-database.ts';

let server: ServerDatabase;
let log: StatementLog;
let database: Database;

const open = async (poolSize: number) => {
  database = await openDatabase({ url: log.url, poolSize });
};
beforeEach(async () => {
  server = await serverDatabase();
  log = await statementLog(server.url);
});
afterEach(async () => {
  await database.close();
  await log.close();
  await server.remove();
});

/** The messages of each round trip with these words: P parse, B bind, D describe, E execute, C close, S sync. */
const messagesOf = (words: string) =>
  log.statements.flatMap((statement, at) => (statement.includes(words) ? [log.messages[at]] : []));

describe('a prepared statement', () => {
  test('is parsed by its connection at its first three executions, and then no more', async () => {
    await open(1);
    for (let time = 0; time < 5; time += 1)
      expect((await sql`SELECT ${time}::integer AS a_time`.execute(database.db)).rows).toEqual([{ aTime: time }]);
    expect(messagesOf('AS a_time')).toEqual(['PBDES', 'PBDES', 'PBDES', 'BDES', 'BDES']);
  });

  test('stays prepared where its first execution failed', async () => {
    await open(1);
    const divide = (by: number) => sql`SELECT 6 / ${by}::integer AS a_part`.execute(database.db);
    for (let time = 0; time < 4; time += 1) await expect(divide(0)).rejects.toThrow('division by zero');
    for (const by of [1, 2, 3]) expect((await divide(by)).rows).toEqual([{ aPart: 6 / by }]);
    expect(messagesOf('AS a_part')).toEqual(['PBDES', 'PBDES', 'PBDES', 'BDES', 'BDES', 'BDES', 'BDES']);
  });

  test('fails alone where a value that it is given is none, before anything is sent', async () => {
    await open(1);
    const ask = (value: unknown) => sql`SELECT ${value}::text AS a_word`.execute(database.db);
    for (let time = 0; time < 4; time += 1) await expect(ask({})).rejects.toThrow('A parameter of a statement is');
    expect((await ask('w')).rows).toEqual([{ aWord: 'w' }]);
    expect(messagesOf('AS a_word')).toEqual(['PBDES']);
  });

  test('counts the rows that it changes, and those that it changes none of', async () => {
    await open(1);
    await sql`CREATE TABLE counted (n integer)`.execute(database.db);
    for (let time = 0; time < 4; time += 1)
      expect((await sql`INSERT INTO counted VALUES (${time}::integer)`.execute(database.db)).numAffectedRows).toBe(1n);
    const above = (n: number) => sql`DELETE FROM counted WHERE n > ${n}::integer`.execute(database.db);
    for (const [n, gone] of [
      [9, 0n],
      [9, 0n],
      [2, 1n],
      [0, 2n],
    ] as const)
      expect(await above(n)).toMatchObject({ rows: [], numAffectedRows: gone });
  });

  test('has the columns of its table as they are, on a connection from before they changed and on one from after', async () => {
    await open(2);
    // Both connections are open; the statement is prepared on one of them.
    await Promise.all([1, 2].map(() => sql`SELECT 1`.execute(database.db)));
    await sql`CREATE TABLE changing (a integer, b text)`.execute(database.db);
    await sql`INSERT INTO changing VALUES (1, 'old')`.execute(database.db);
    const ask = () => sql`SELECT * FROM changing WHERE a > ${0}::integer`.execute(database.db);
    for (let time = 0; time < 5; time += 1) expect((await ask()).rows).toEqual([{ a: 1, b: 'old' }]);
    // As many columns as before, under other names and of other types.
    await sql`ALTER TABLE changing DROP COLUMN b, ADD COLUMN a_day date DEFAULT '2026-01-02'`.execute(database.db);
    await sql`ALTER TABLE changing ALTER COLUMN a TYPE bigint`.execute(database.db);
    for (let time = 0; time < 5; time += 1)
      for (const { rows } of await Promise.all([ask(), ask()]))
        expect(rows).toEqual([{ a: 1, aDay: new Date(2026, 0, 2) }]);
  });

  test('under a time limit of the driver leaves no timer behind', async () => {
    database = await openDatabase({ url: `${log.url}?query_timeout=60000`, poolSize: 1 });
    const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    const ask = () => sql`SELECT 1 AS limited`.execute(database.db);
    await ask();
    const before = timers();
    for (let time = 0; time < 20; time += 1) await ask();
    expect(timers()).toBeLessThan(before + 10);
  });

  test('without a word in it is answered without rows', async () => {
    await open(1);
    for (let time = 0; time < 5; time += 1) expect((await sql.raw('-- nothing').execute(database.db)).rows).toEqual([]);
  });

  test('is answered row by row, however many there are', async () => {
    await open(1);
    const ask = (count: number) =>
      sql`SELECT n AS a_row FROM generate_series(1, ${count}::integer) n`.execute(database.db);
    for (const count of [0, 1, 2, 0, 3000, 0])
      expect((await ask(count)).rows).toEqual(Array.from({ length: count }, (_, at) => ({ aRow: at + 1 })));
  });
});

describe('the values of a statement', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '}', ',', ' ', "'", 'N', 'é', '😀', '\n') });

  test('come to the server as they are', async () => {
    await open(1);
    const ask = (value: {
      text: string;
      list: readonly (string | null)[];
      whole: bigint;
      yes: boolean;
      at: Date;
      bytes: Uint8Array;
    }) =>
      sql`SELECT ${value.text}::text AS text, ${value.list}::text[] AS list, ${value.whole}::numeric AS whole, ${value.yes}::boolean AS yes,
        ${value.at}::timestamptz AS at, ${value.bytes}::bytea AS bytes, ${null}::text AS nothing, ${undefined}::text AS missing,
        ${[1, 2.5]}::double precision[] AS numbers, ${[
          ['a', 'b'],
          ['c', null],
        ]}::text[][] AS square, ${[]}::text[] AS empty,
        ${[true, false]}::boolean[] AS flags`.execute(database.db);
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          text: letters,
          list: fc.array(fc.option(fc.oneof(letters, fc.constant('NULL'))), { maxLength: 5 }),
          whole: fc.bigInt(),
          yes: fc.boolean(),
          at: fc.date({ min: new Date('1900-01-01'), max: new Date('2999-01-01'), noInvalidDate: true }),
          bytes: fc.uint8Array(),
        }),
        async (value) => {
          const [row] = (await ask(value)).rows;
          expect(row).toEqual({
            ...value,
            whole: String(value.whole),
            bytes: Buffer.from(value.bytes),
            nothing: null,
            missing: null,
            numbers: [1, 2.5],
            square: [
              ['a', 'b'],
              ['c', null],
            ],
            empty: [],
            flags: [true, false],
          });
        },
      ),
      { numRuns: 200 },
    );
  });
});
