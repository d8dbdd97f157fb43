import { type DriftCount, MORE } from '@railyard/runtime';
import { expect, test } from 'vitest';
import { driftStore } from '../../src/storage/index.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

/** Of an endpoint and version, in the database. */
const MOST = 1000;

const sighting: DriftCount = {
  connector: 'c',
  version: '1.0.0',
  endpoint: 'pay',
  kind: 'unnamed-field',
  reply: 'ok',
  status: 0,
  place: 'fee',
  form: 'number',
  seen: 1,
  firstSeen: 1000,
  lastSeen: 1000,
};

const named = (count: number, prefix: string): DriftCount[] =>
  Array.from({ length: count }, (_, index) => ({ ...sighting, place: `${prefix}${index}` }));

test('counts of the same sighting are added up, with the first and the last time of all', async () => {
  const store = driftStore(database.db);
  await store.add([{ ...sighting, seen: 2, firstSeen: 3000, lastSeen: 4000 }], MORE);
  await store.add([{ ...sighting, seen: 40, firstSeen: 2500, lastSeen: 3500 }], MORE);
  await store.add([{ ...sighting, status: 418, kind: 'other-form' }], MORE);
  expect(await store.list()).toEqual([
    { ...sighting, status: 418, kind: 'other-form' },
    { ...sighting, seen: 42, firstSeen: 2500, lastSeen: 4000 },
  ]);
});

test('four processes that count the same sightings in opposite orders at once all end, and nothing is lost', async () => {
  const store = driftStore(database.db);
  const counts = named(200, 'n');
  const writers = Array.from({ length: 4 }, (_, at) => store.add(at % 2 === 0 ? counts : counts.toReversed(), MORE));
  await Promise.all(writers);
  const stored = await store.list();
  expect(stored).toHaveLength(200);
  expect(new Set(stored.map(({ seen }) => seen))).toEqual(new Set([4]));
});

test('processes whose provider answers random names fill no more than the most of an endpoint, and what is beyond is counted together', async () => {
  const store = driftStore(database.db);
  // Each process counts 200 by name (drift-ledger.ts) and is started again and again.
  for (let process = 0; process < 10; process += 1) await store.add(named(200, `p${process}x`), MORE);
  const stored = await store.list();
  const more = stored.filter(({ place }) => place === MORE);
  expect(stored.length - more.length).toBe(MOST);
  expect(more).toEqual([{ ...sighting, place: MORE, reply: '', form: '', seen: 10 * 200 - MOST }]);
  // What has its row goes on being counted by name, and another version has room of its own.
  await store.add(
    [
      { ...sighting, place: 'p0x0' },
      { ...sighting, version: '1.1.0' },
    ],
    MORE,
  );
  const after = await store.list();
  expect(after.find(({ place }) => place === 'p0x0')).toMatchObject({ seen: 2 });
  expect(after.find(({ version }) => version === '1.1.0')).toMatchObject({ place: 'fee', seen: 1 });
  expect(after.reduce((sum, { seen }) => sum + seen, 0)).toBe(2002);
});
