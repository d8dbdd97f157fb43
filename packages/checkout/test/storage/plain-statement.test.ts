import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseClock, type Database, openDatabase } from '../../src/storage/index.ts';
import { applicable } from '../../src/storage/apply-transition.ts';
import { executePlain, plainStatement } from '../../src/storage/plain-statement.ts';

let database: Database;

beforeAll(async () => {
  database = await openDatabase('memory');
});
afterAll(() => database.close());

const nested = sql`SELECT ${1}::integer AS one, ${sql.join([sql`${'a'}`, sql.raw("'b'"), 'c'])}, ${['x', 'y']}::text[]${sql``}`;

describe('a statement that is written out', () => {
  test('has the text and the parameters that kysely gives it', () => {
    const { statement } = applicable(databaseClock, {
      paymentId: '00000000-0000-4000-8000-000000000001',
      expectedVersion: 1,
      change: { state: 'settled', unknown: false, pollInMs: 1000, facts: {} },
      event: { kind: 'outcome', data: {} },
      references: [{ providerReference: 'r-1' }],
      callbacks: [{ id: 'msg_1', url: 'https://shop.example/c', contentType: 'text/plain', body: 'b' }],
      closeSession: 'completed',
    });
    for (const each of [nested, statement.parts]) {
      const { sql: text, parameters } = each.compile(database.db);
      expect(plainStatement(each)).toEqual({ text, parameters });
    }
  });

  test('is answered with the names of columns as the schema has them', async () => {
    const { rows } = await executePlain(database.db, sql`SELECT ${'m-1'}::text AS merchant_key`);
    expect(rows).toEqual([{ merchantKey: 'm-1' }]);
  });

  test.each([sql`SELECT 1 FROM ${sql.table('payments')}`, sql`SELECT ${sql.lit(1)}`])(
    'holds no names or values for kysely to quote',
    (statement) => {
      expect(() => plainStatement(statement)).toThrow(/holds no \w+Node/);
    },
  );
});
