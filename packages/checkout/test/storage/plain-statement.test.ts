import { sql as kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseClock, type Database, openDatabase, type Transition } from '../../src/storage/index.ts';
import { applyTransitions } from '../../src/storage/apply-transition.ts';
import { type Piece, sql } from '../../src/storage/database/sql.ts';
import { executePlain, plainStatement } from '../../src/storage/database/sql.ts';

let database: Database;

beforeAll(async () => {
  database = await openDatabase('memory');
});
afterAll(() => database.close());

const nested = sql`SELECT ${1}::integer AS one, ${sql.list([sql`${'a'}`, sql.raw("'b'"), 'c'])}, ${['x', 'y']}::text[]${sql``}`;

/** As kysely writes it. */
const compiled = (statement: Piece) => kysely`${statement}`.compile(database.db);

describe('a statement that is written out', () => {
  test('has the text and the parameters that kysely gives it', () => {
    const change: Transition = {
      paymentId: '00000000-0000-4000-8000-000000000001',
      expectedVersion: 1,
      change: { state: 'settled', unknown: false, pollInMs: 1000, facts: {} },
      event: { kind: 'outcome', data: {} },
      references: [{ providerReference: 'r-1' }],
      callbacks: [{ id: 'msg_1', url: 'https://shop.example/c', contentType: 'text/plain', body: 'b' }],
      closeSession: 'completed',
    };
    const together = applyTransitions([change], databaseClock(), true);
    const alone = applyTransitions([change], databaseClock(), false);
    for (const each of [nested, together, alone]) {
      const { sql: text, parameters } = compiled(each);
      expect(plainStatement(each)).toEqual({ text, parameters });
    }
  });

  test('numbers its parameters behind those of the text before it', () => {
    const list = (length: number) => sql.list(Array.from({ length }, (_, at) => sql`${at}::integer`));
    const one = (piece: Piece, other: Piece) => sql`SELECT ${piece} AND ${other}`;
    const all = [
      ...[1, 2, 3].map((length) => sql`SELECT ${list(length)}`),
      ...[0, 1, 2].map((length) => sql`SELECT ARRAY[${sql.list(['a', 'b'].slice(0, length))}]`),
      sql`SELECT ${sql.raw('2')}`,
      sql`SELECT ${2}`,
      one(sql`true`, sql``),
      one(sql``, sql`true`),
      one(sql.raw('true'), sql`false`),
      one(sql.raw('tru'), sql`false`),
      one(sql`${1}`, sql`${sql`${2}`}`),
      one(sql`${sql`${1}`}`, sql`${2}`),
      one(sql`true`, sql`false`),
    ];
    for (const each of all) {
      const { sql: text, parameters } = compiled(each);
      expect(plainStatement(each)).toEqual({ text, parameters });
      expect(plainStatement(each, 2).text).toBe(text.replaceAll(/\$(\d+)/g, (_, n: string) => `$${Number(n) + 2}`));
    }
  });

  test('is answered with the names of columns as the schema has them', async () => {
    const { rows } = await executePlain(database.db, sql`SELECT ${'m-1'}::text AS merchant_key`);
    expect(rows).toEqual([{ merchantKey: 'm-1' }]);
  });

  test.each([sql`SELECT 1 FROM ${kysely.table('payments')}`, sql`SELECT ${kysely.lit(1)}`])(
    'holds nothing for kysely to quote',
    (statement) => {
      expect(() => plainStatement(statement)).toThrow('holds nothing of kysely');
    },
  );
});
