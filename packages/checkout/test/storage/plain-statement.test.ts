import { type RawBuilder, sql } from 'kysely';
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
    for (const each of [nested, statement.parts, nested, statement.parts]) {
      const { sql: text, parameters } = each.compile(database.db);
      expect(plainStatement(each)).toEqual({ text, parameters });
    }
  });

  test('has its own text, whatever was written out before it', () => {
    const list = (length: number) => sql.join(Array.from({ length }, (_, at) => sql`${at}::integer`));
    const one = (piece: RawBuilder<unknown>, other: RawBuilder<unknown>) => sql`SELECT ${piece} AND ${other}`;
    const all = [
      ...[1, 2, 3].map((length) => sql`SELECT ${list(length)}`),
      ...[1, 2].map((length) => sql`SELECT ${sql.join(['a', 'b'].slice(0, length), sql` || `)}`),
      one(sql`true`, sql``),
      one(sql``, sql`true`),
      one(sql.raw('true'), sql`false`),
      one(sql.raw('tru'), sql`false`),
      one(sql`${1}`, sql`${sql`${2}`}`),
      one(sql`${sql`${1}`}`, sql`${2}`),
      one(sql`true`, sql`false`),
    ];
    for (const each of [...all, ...all.toReversed()]) {
      const { sql: text, parameters } = each.compile(database.db);
      expect(plainStatement(each)).toEqual({ text, parameters });
      expect(plainStatement(each, 2).text).toBe(text.replaceAll(/\$(\d+)/g, (_, n: string) => `$${Number(n) + 2}`));
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
