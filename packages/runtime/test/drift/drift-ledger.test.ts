import { expect, test } from 'vitest';
import { driftLedger, type Sighting } from '../../src/index.ts';

const sighting: Sighting = {
  connector: 'c',
  version: '1.0.0',
  endpoint: 'pay',
  kind: 'unnamed-field',
  reply: 'ok',
  status: 0,
  place: 'fee',
  form: 'number',
};

test('the same sighting is one count, with its first and its last time', () => {
  let now = 100;
  const ledger = driftLedger(() => now);
  for (now of [100, 200, 300]) ledger.add(sighting);
  ledger.add({ ...sighting, form: 'string' });
  expect(ledger.take()).toEqual([
    { ...sighting, seen: 3, firstSeen: 100, lastSeen: 300 },
    { ...sighting, form: 'string', seen: 1, firstSeen: 300, lastSeen: 300 },
  ]);
  expect(ledger.take()).toEqual([]);
});

test('what could not be written is counted again', () => {
  let now = 100;
  const ledger = driftLedger(() => now);
  ledger.add(sighting);
  const taken = ledger.take();
  now = 200;
  ledger.add(sighting);
  ledger.putBack(taken);
  expect(ledger.take()).toEqual([{ ...sighting, seen: 2, firstSeen: 100, lastSeen: 200 }]);
});

test('an endpoint has 200 places by name, and the rest in one, also after they were taken', () => {
  const ledger = driftLedger(() => 0);
  const names = Array.from({ length: 300 }, (_, index) => `n${index}`);
  for (const place of names) ledger.add({ ...sighting, place });
  const first = ledger.take();
  expect(first).toHaveLength(201);
  expect(first.find(({ place }) => place === '{more}')).toMatchObject({ seen: 100, reply: '', form: '' });
  for (const place of names) ledger.add({ ...sighting, place });
  expect(ledger.take()).toHaveLength(201);
  ledger.add({ ...sighting, endpoint: 'other', place: 'n299' });
  expect(ledger.take()).toMatchObject([{ endpoint: 'other', place: 'n299' }]);
});
