import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { databaseClock, storesOf } from '../../src/storage/index.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

/** Ahead, in milliseconds. */
const MOST = 2000;

test('the repeat of a move whose answer was lost moves nothing, another move does', async () => {
  const { testClocks } = storesOf(database.db, databaseClock);
  const [first, second] = [randomUUID(), randomUUID()];
  expect(await testClocks.aheadMs('m-1')).toBe(0);
  expect(await testClocks.advance('m-1', 1000, first, MOST)).toBe(1000);
  expect(await testClocks.advance('m-1', 1000, first, MOST)).toBe(1000);
  expect(await testClocks.advance('m-1', 500, second, MOST)).toBe(1500);
  expect([await testClocks.aheadMs('m-1'), await testClocks.aheadMs('m-2')]).toEqual([1500, 0]);
});

test('of many moves at the same moment those take place that leave the clock within its limit', async () => {
  const { testClocks } = storesOf(database.db, databaseClock);
  expect(await testClocks.advance('m-3', MOST + 1, randomUUID(), MOST)).toBeUndefined();
  const moves = Array.from({ length: 8 }, () => testClocks.advance('m-3', 600, randomUUID(), MOST));
  expect((await Promise.all(moves)).filter((ahead) => ahead !== undefined)).toHaveLength(3);
  expect(await testClocks.aheadMs('m-3')).toBe(1800);
});
