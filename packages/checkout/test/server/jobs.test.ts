import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createLog } from '../../src/log/log.ts';
import { callbacksStore, databaseClock, openDatabase, paymentsStore } from '../../src/storage/index.ts';
import { itemPoller } from '../../src/work/pollers.ts';
import { countingPoller, jobsOn } from '../support/jobs.ts';
import { insertPayment } from '../support/rows.ts';
import { privateServer, serverDatabase } from '../support/server-database.ts';

const PROCESSES = 2;
const CALLBACKS = 60;

test('processes that start at once make the tables of the jobs together, and share what is too much for one', async () => {
  const { url, remove } = await serverDatabase();
  const databases = await Promise.all(Array.from({ length: PROCESSES }, () => openDatabase({ url, poolSize: 4 })));
  const [database] = databases;
  if (database === undefined) throw new Error('There is no database.');
  await Promise.all(Array.from({ length: CALLBACKS }, (_, index) => callbackDue(database.db, index)));
  const taken = databases.map((): string[] => []);
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  let allTaken: () => void = () => undefined;
  const started = new Promise<void>((resolve) => (allTaken = resolve));
  const all = await Promise.all(
    databases.map(async (own, index) => {
      const store = callbacksStore(own.db, databaseClock);
      const started: { share?: () => void } = {};
      const poller = itemPoller(createLog({ write: () => undefined }), {
        name: 'callbacks',
        take: (limit, { keys }) => store.claimDue(limit, 60_000, { urls: keys }),
        key: ({ url: address }) => address,
        id: ({ id }) => id,
        handle: async ({ id }) => {
          taken[index]?.push(id);
          if (taken.flat().length === CALLBACKS) allTaken();
          await gate;
        },
        wakeOthers: () => started.share?.(),
      });
      const { jobs } = await jobsOn(own, [poller], { tickSeconds: 1 });
      started.share = () => jobs.wakeOthers('callbacks');
      return jobs;
    }),
  );
  await started;
  expect(new Set(taken.flat()).size).toBe(CALLBACKS);
  expect(taken.every((ids) => ids.length > 0)).toBe(true);
  letGo();
  await Promise.all(all.map((jobs) => jobs.stop()));
  await Promise.all(databases.map(({ close }) => close()));
  await remove();
}, 30_000);

test('wakes of several kinds at the same moment each reach a process', async () => {
  const { url, remove } = await serverDatabase();
  const database = await openDatabase({ url, poolSize: 4 });
  const kinds = (['callbacks', 'lookups', 'expiry'] as const).map((name) => countingPoller(name));
  const { jobs } = await jobsOn(
    database,
    kinds.map(({ poller }) => poller),
  );
  await Promise.all(kinds.map(({ until }) => until(1)));
  for (const { poller } of kinds) jobs.wakeOthers(poller.name);
  // Sooner than the queue is looked at by itself, and no tick comes.
  await Promise.all(kinds.map(({ until }) => until(2)));
  await jobs.stop();
  await database.close();
  await remove();
}, 30_000);

test('work goes on after the server was away', async () => {
  const server = await privateServer();
  const database = await openDatabase({ url: server.url('postgres'), poolSize: 4 });
  const lookups = countingPoller('lookups');
  const { jobs, events } = await jobsOn(database, [lookups.poller], { tickSeconds: 1 });
  await lookups.until(1);
  await server.stop('immediate');
  jobs.wake('lookups');
  await server.start();
  const before = lookups.polls;
  await lookups.until(before + 2);
  await jobs.stop();
  await database.close();
  await server.remove();
  expect(new Set(events().map(({ event }) => event))).toEqual(new Set(['jobs-failed']));
});

async function callbackDue(db: Parameters<typeof insertPayment>[0], index: number): Promise<void> {
  const { payment } = await insertPayment(db, databaseClock);
  await paymentsStore(db, databaseClock).applyTransition({
    paymentId: payment.id,
    expectedVersion: 1,
    change: { state: 'pending', unknown: false },
    event: { kind: 'told', data: {} },
    callbacks: [{ id: randomUUID(), url: `https://shop-${index}.example/c`, contentType: 'text/plain', body: '' }],
  });
}
