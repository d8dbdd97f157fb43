import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { storesOf } from '../../src/storage/index.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { insertPayment } from '../support/rows.ts';

const MINUTE = 60_000;
const database = useDatabase();
const time = testClock('2026-11-01T00:00:00Z');
const stores = () => storesOf(database.db, time.clock);
const listed = () => stores().findings.list(100);

async function changed(change: object, callback?: string): Promise<string> {
  const { payment } = await insertPayment(database.db, time.clock);
  const applied = await stores().payments.applyTransition({
    paymentId: payment.id,
    expectedVersion: 1,
    change: { state: 'pending', unknown: false, pollInMs: 3_600_000, ...change },
    event: { kind: 'outcome', data: {} },
    ...(callback !== undefined && {
      callbacks: [{ id: callback, url: 'https://shop.example/hook', contentType: 'application/json', body: '{}' }],
    }),
  });
  if (applied.result !== 'applied') throw new Error(applied.result);
  return payment.id;
}

test('an unknown outcome and money that does not fit are listed with their age, the oldest first', async () => {
  const unknown = await changed({ unknown: true });
  time.advance(5 * MINUTE);
  const aside = await changed({ aside: '12.00 BRL' });
  time.advance(2 * MINUTE);
  expect(await listed()).toMatchObject([
    { kind: 'outcome-unknown', subject: unknown, ageSeconds: 420 },
    { kind: 'money-set-aside', subject: aside, ageSeconds: 120, detail: '12.00 BRL, asked for was 10.00 BRL' },
  ]);
  expect(await stores().findings.list(1)).toHaveLength(2);
});

test('a callback address that fails is listed after five minutes, until it works', async () => {
  await changed({}, 'msg_1');
  const tried = async (status: number) => {
    const [due] = await stores().callbacks.claimDue(1, 1000);
    if (due === undefined) throw new Error('Nothing is due.');
    const next = status === 200 ? { state: 'delivered' as const } : { state: 'waiting' as const, retryInMs: 1000 };
    await stores().callbacks.recordAttempt(due, { status, durationMs: 1, next });
  };
  await tried(500);
  time.advance(4 * MINUTE);
  expect(await listed()).toEqual([]);
  time.advance(2 * MINUTE);
  expect(await listed()).toMatchObject([
    {
      kind: 'callback-failing',
      subject: '11111111-2222-4333-8444-555555555555 https://shop.example/hook',
      detail: '1 failures; last answer 500',
      ageSeconds: 360,
    },
  ]);
  expect(await stores().findings.take('callback-failing')).toMatchObject([{ isNew: true }]);
  await tried(200);
  expect(await listed()).toEqual([]);
});

test('a notification that was not understood is listed for a week', async () => {
  const id = randomUUID();
  const { notifications } = stores();
  await notifications.keep({ id, connectorId: 'c', midId: 'm', request: '{}', body: Buffer.from('{}'), holdMs: 0 });
  await notifications.end(id, 'refused', 'No such event.');
  time.advance(MINUTE);
  expect(await listed()).toMatchObject([
    { kind: 'notification-unread', subject: id, detail: 'm: No such event.', ageSeconds: 60 },
  ]);
  time.advance(7 * 24 * 60 * MINUTE);
  expect(await listed()).toEqual([]);
});

test('an open breaker is listed since it opened, until the account answers or its process says nothing for an hour', async () => {
  const { findings } = stores();
  await findings.breakerOpened('cards', 'The provider answered 503.');
  time.advance(30 * MINUTE);
  await findings.breakerOpened('cards', 'The provider answered 500.');
  expect(await listed()).toMatchObject([
    { kind: 'breaker-open', subject: 'cards', detail: 'The provider answered 500.', ageSeconds: 1800 },
  ]);
  await findings.breakerClosed('cards');
  expect(await listed()).toEqual([]);
  await findings.breakerOpened('cards', 'The provider answered 503.');
  time.advance(61 * MINUTE);
  expect(await listed()).toEqual([]);
  await findings.breakerOpened('cards', 'The provider answered 503.');
  expect(await listed()).toMatchObject([{ kind: 'breaker-open', ageSeconds: 0 }]);
});
