import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ARRAYS } from '../../src/storage/database/embedded.ts';
import { type Database, openDatabase } from '../../src/storage/index.ts';
import { jobsOn } from '../support/jobs.ts';

let database: Database;

beforeAll(async () => {
  database = await openDatabase('memory');
  // The job library makes its tables.
  await (await jobsOn(database, [])).jobs.stop();
});
afterAll(() => database.close());

describe('arrays on the embedded database', () => {
  test('have the types of its catalogue', async () => {
    const { rows } = await sql<{ element: number; array: number }>`
      SELECT oid::integer AS element, typarray::integer AS array FROM pg_catalog.pg_type WHERE typarray <> 0`.execute(
      database.db,
    );
    const found = new Map(rows.map(({ element, array }) => [element, array]));
    for (const [element, array] of ARRAYS) expect(`${element} ${found.get(element)}`).toBe(`${element} ${array}`);
  });

  test('of all columns that the service and its jobs have are known', async () => {
    const { rows } = await sql<{ array: number; name: string }>`
      SELECT DISTINCT t.oid::integer AS array, t.typname AS name FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
        JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE t.typcategory = 'A' AND a.attnum > 0 AND n.nspname NOT IN ('pg_catalog', 'pg_toast', 'information_schema')`.execute(
      database.db,
    );
    const known = new Set(ARRAYS.values());
    expect(rows.filter(({ array }) => !known.has(array))).toEqual([]);
  });

  test('come out as they went in', async () => {
    const given = {
      texts: ['a', 'with "quotes", commas and \\', 'NULL', ''],
      ids: ['00000000-0000-4000-8000-000000000001'],
      numbers: [1, -2],
      large: [9_007_199_254_740_991],
      truths: [true, false],
      times: [new Date(0), new Date('2026-01-02T03:04:05.678Z')],
      none: [],
    };
    const { rows } = await sql<typeof given>`SELECT ${given.texts}::text[] AS texts, ${given.ids}::uuid[] AS ids,
      ${given.numbers}::integer[] AS numbers, ${given.large}::bigint[] AS large, ${given.truths}::boolean[] AS truths,
      ${given.times}::timestamptz[] AS times, ${given.none}::text[] AS none`.execute(database.db);
    expect(rows).toEqual([given]);
  });
});
