import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type CheckoutConfig, createLog } from '../../src/index.ts';
import { housekeep, tidy } from '../../src/work/upkeep.ts';
import { useDatabase } from '../support/database.ts';
import { pixConfig } from '../support/pix-config.ts';
import { insertPayment, newSession } from '../support/rows.ts';
import { serviceContext } from '../support/service-context.ts';

const DAY = 86_400_000;
const database = useDatabase();
const provider = { url: 'http://127.0.0.1:1', apiKey: 'a', webhookSecret: 'b' };

function setUp(change: Partial<CheckoutConfig> = {}) {
  const time = { at: Date.parse('2026-01-01T12:00:00Z') };
  const made = serviceContext(
    database.db,
    { ...pixConfig(provider, 'http://127.0.0.1:1', 0), ...change },
    () => time.at,
  );
  const lines: string[] = [];
  return { ...made, time, lines, context: { ...made.context, log: createLog({ write: (line) => lines.push(line) }) } };
}

const count = async (
  table: 'providerNotifications' | 'callbackAttempts' | 'duplicateWindows' | 'callbacks' | 'providerEvents',
) => (await database.db.selectFrom(table).selectAll().execute()).length;

/** A handled and an open notification, an event, and a callback that failed once and is delivered or still waits. */
async function leave({ context }: ReturnType<typeof setUp>): Promise<void> {
  const { payment } = await insertPayment(database.db, context.sqlClock);
  const whose = { connectorId: 'test', midId: 'mid-1' };
  const ids = [randomUUID(), randomUUID()];
  for (const id of ids)
    await context.stores.notifications.keep({ id, ...whose, request: '{}', body: new Uint8Array([1]), holdMs: 1000 });
  await context.stores.notifications.end(ids[0] ?? '', 'handled');
  const event = { eventId: 'e', kind: 'payment', providerReference: 'tx', data: {}, notificationId: ids[0] ?? '' };
  await context.stores.notifications.recordUnapplied({ ...whose, ...event, state: 'ignored', reason: 'late' });
  await context.stores.payments.applyTransition({
    paymentId: payment.id,
    expectedVersion: 1,
    change: { state: 'pending', unknown: false },
    event: { kind: 'told', data: {} },
    callbacks: ['a', 'b'].map((id) => ({ id, url: 'https://shop.example/c', contentType: 'text/plain', body: '' })),
  });
  const [first] = await context.stores.callbacks.claimDue(1, 1000);
  if (first === undefined) throw new Error('No callback is due.');
  await context.stores.callbacks.recordAttempt(first, { status: 200, durationMs: 1, next: { state: 'delivered' } });
  const [second] = await context.stores.callbacks.claimDue(1, 1000);
  if (second === undefined) throw new Error('No callback is due.');
  const failed = { status: 500, durationMs: 1, next: { state: 'waiting', retryInMs: 1000 } } as const;
  await context.stores.callbacks.recordAttempt(second, failed);
}

test('deletes what is older than it is told, and neither what is open nor what was decided', async () => {
  const rig = setUp({ retention: { notifications: 400, attempts: 400, callbacks: 500 } });
  await leave(rig);
  rig.time.at += 400 * DAY - 1;
  await tidy(rig.context, false);
  expect([await count('providerNotifications'), await count('callbackAttempts')]).toEqual([2, 2]);
  rig.time.at += 1;
  await tidy(rig.context, false);
  expect([await count('providerNotifications'), await count('callbackAttempts')]).toEqual([1, 1]);
  expect([await count('providerEvents'), await count('callbacks')]).toEqual([1, 2]);
  expect(rig.lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'retention', kind: 'attempts', days: 400, subject: 'callback_attempts', rows: 1 },
    { event: 'retention', kind: 'notifications', days: 400, subject: 'provider_notifications', rows: 1 },
  ]);
  await rig.close();
});

test('forgets the duplicate windows that have passed', async () => {
  const rig = setUp();
  await rig.context.stores.sessions.create(newSession());
  rig.time.at += 10_000;
  await rig.context.stores.sessions.create(newSession());
  rig.time.at += 5000;
  await housekeep(rig.context, false);
  expect(await count('duplicateWindows')).toBe(1);
  await rig.close();
});
