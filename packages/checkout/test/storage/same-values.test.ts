import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const bytes = new Uint8Array([0, 255, 128, 10]);

// The same expectations on both engines: this file runs on each of them.
test('a value of every kind that is stored or counted is read as the same', async () => {
  const { rows } = await sql<{ givenBytes: Uint8Array }>`
    SELECT 1::bigint AS small, 9007199254740993::bigint AS large, -9007199254740993::bigint AS low, 7::integer AS whole,
      12345678901234567890.00::numeric AS exact, 12::numeric(38, 0) AS minor, '2026-11-21 10:00:00.123456+02'::timestamptz AS at,
      '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11'::uuid AS id, true AS yes, NULL::text AS nothing, 'é 😀'::text AS words, count(*) AS counted,
      sum(1::integer) AS summed, 0.5::double precision AS half, ${bytes}::bytea AS given_bytes,
      ${new Date('2026-01-02T03:04:05.678Z')}::timestamptz AS given_at, ${9007199254740993n}::numeric AS given_minor,
      ${'{"a":1}'}::text AS given_text, ${false}::boolean AS given_no`.execute(database.db);
  expect(rows.map((row) => ({ ...row, givenBytes: [...row.givenBytes] }))).toEqual([
    {
      small: 1,
      large: 9007199254740993n,
      low: -9007199254740993n,
      whole: 7,
      exact: '12345678901234567890.00',
      minor: '12',
      at: new Date('2026-11-21T08:00:00.123Z'),
      id: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
      yes: true,
      nothing: null,
      words: 'é 😀',
      counted: 1,
      summed: 1,
      half: 0.5,
      givenBytes: [0, 255, 128, 10],
      givenAt: new Date('2026-01-02T03:04:05.678Z'),
      givenMinor: '9007199254740993',
      givenText: '{"a":1}',
      givenNo: false,
    },
  ]);
});
