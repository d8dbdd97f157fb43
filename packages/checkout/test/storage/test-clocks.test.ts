import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { databaseClock, storesOf } from '../../src/storage/index.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

test('the repeat of a move whose answer was lost moves nothing, another move does', async () => {
  const { testClocks } = storesOf(database.db, databaseClock);
  const [first, second] = [randomUUID(), randomUUID()];
  expect(await testClocks.aheadMs('m-1')).toBe(0);
  expect(await testClocks.advance('m-1', 1000, first)).toBe(1000);
  expect(await testClocks.advance('m-1', 1000, first)).toBe(1000);
  expect(await testClocks.advance('m-1', 500, second)).toBe(1500);
  expect([await testClocks.aheadMs('m-1'), await testClocks.aheadMs('m-2')]).toEqual([1500, 0]);
});
