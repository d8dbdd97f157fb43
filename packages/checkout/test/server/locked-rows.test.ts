import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  databaseClock,
  type Database,
  openDatabase,
  type Stores,
  storesOf,
  type Transition,
} from '../../src/storage/index.ts';
import { insertPayment, newPayment, newSession } from '../support/rows.ts';
import { serverDatabase, type ServerDatabase } from '../support/server-database.ts';

let server: ServerDatabase;
let database: Database;
let stores: Stores;
let operator: Client;

beforeEach(async () => {
  server = await serverDatabase();
  database = await openDatabase({ url: server.url });
  stores = storesOf(database.db, databaseClock);
  operator = new Client({ connectionString: server.url });
  await operator.connect();
});
afterEach(async () => {
  await operator.end();
  await database.close();
  await server.remove();
});

type Started = Awaited<ReturnType<typeof insertPayment>>;

const begin = (count: number) =>
  Promise.all(Array.from({ length: count }, () => insertPayment(database.db, databaseClock)));

const settle = ({ payment }: Started): Transition => ({
  paymentId: payment.id,
  expectedVersion: 1,
  change: { state: 'settled', unknown: false, received: { text: '10.00', minor: 1000n, currency: 'BRL' } },
  event: { kind: 'outcome', data: {} },
  callbacks: [{ id: payment.id, url: 'https://shop.example/callback', contentType: 'text/plain', body: 'paid' }],
  closeSession: 'completed',
});

/** Of works at the same moment the first meets a row that an operator has locked. The others end while it is locked, and the first after it. */
async function expectOnlyOneToWait(
  lock: string,
  key: string,
  works: readonly (() => Promise<unknown>)[],
): Promise<void> {
  await operator.query('BEGIN');
  await operator.query(lock, [key]);
  let isDone = false;
  const [first, ...others] = works.map((work) => work());
  const waiting = first?.then(() => (isDone = true));
  await Promise.all(others);
  expect(isDone).toBe(false);
  await operator.query('COMMIT');
  await waiting;
}

test('a payment that is locked does not delay changes of others', async () => {
  const started = await begin(12);
  const works = started.map((each) => () => stores.payments.applyTransition(settle(each)));
  await expectOnlyOneToWait('SELECT FROM payments WHERE id = $1 FOR UPDATE', started[0]?.payment.id ?? '', works);
  for (const { payment } of started) expect((await stores.payments.find(payment.id))?.state).toBe('settled');
});

test('a session that is locked delays neither the end of others nor payments that begin in them', async () => {
  const started = await begin(12);
  const works = started.map((each) => () => stores.payments.applyTransition(settle(each)));
  await expectOnlyOneToWait(
    'SELECT FROM sessions WHERE id = $1 FOR UPDATE',
    started[0]?.payment.sessionId ?? '',
    works,
  );
  for (const { payment } of started)
    expect((await stores.sessions.find(payment.sessionId ?? ''))?.state).toBe('completed');

  const sessions = Array.from({ length: 12 }, () => newSession());
  for (const session of sessions) await stores.sessions.create(session);
  const clicks = sessions.map(
    ({ id }) =>
      () =>
        stores.payments.insert(newPayment(id)),
  );
  await expectOnlyOneToWait('SELECT FROM sessions WHERE id = $1 FOR UPDATE', sessions[0]?.id ?? '', clicks);
  for (const { id } of sessions) expect(await stores.sessions.find(id)).toMatchObject({ attempts: 1 });
});

test('a run that is locked does not delay changes of others', async () => {
  const started = await begin(12);
  const works = started.map((each) => () => {
    const run = { lease: each.lease, next: { state: 'finished', outcome: {} } } as const;
    return stores.payments.applyTransition({ ...settle(each), run });
  });
  await expectOnlyOneToWait('SELECT FROM flow_runs WHERE run_id = $1 FOR UPDATE', started[0]?.lease.runId ?? '', works);
  for (const { lease } of started) expect((await stores.runs.find(lease.runId))?.state).toBe('finished');
});

test('a run that is locked does not delay steps of others', async () => {
  const started = await begin(12);
  const works = started.map(
    ({ lease }) =>
      () =>
        stores.journals.of(lease).begin(lease.runId, 'charge', 'call'),
  );
  await expectOnlyOneToWait('SELECT FROM flow_runs WHERE run_id = $1 FOR UPDATE', started[0]?.lease.runId ?? '', works);
  for (const { lease } of started) expect(await stores.journals.of(lease).load(lease.runId)).toHaveLength(1);
});

test('a callback that is locked does not delay deliveries of others, nor does an address', async () => {
  const started = await begin(12);
  for (const each of started) await stores.payments.applyTransition(settle(each));
  const deliver = ({ payment }: Started, url: string) =>
    stores.callbacks.recordAttempt(
      { id: payment.id, attempts: 1, url, merchantKey: payment.merchantKey },
      { status: 200, durationMs: 5, next: { state: 'delivered' } },
    );
  const address = 'https://shop.example/callback';
  const [locked, down, ...others] = started;
  if (locked === undefined || down === undefined) throw new Error('There are twelve.');
  const half = [locked, ...others.slice(0, 5)];
  const works = half.map((each) => () => deliver(each, address));
  await expectOnlyOneToWait('SELECT FROM callbacks WHERE id = $1 FOR UPDATE', locked.payment.id, works);

  await stores.callbacks.recordAttempt(
    { id: down.payment.id, attempts: 1, url: 'https://down.example/', merchantKey: down.payment.merchantKey },
    { status: 500, error: 'HTTP 500', durationMs: 5, next: { state: 'waiting', retryInMs: 0 } },
  );
  const rest = [
    () => deliver(down, 'https://down.example/'),
    ...others.slice(5).map((each) => () => deliver(each, address)),
  ];
  await expectOnlyOneToWait('SELECT FROM callback_addresses WHERE url = $1 FOR UPDATE', 'https://down.example/', rest);
  for (const { payment } of started)
    expect(await stores.callbacks.ofPayment(payment.id)).toMatchObject([{ state: 'delivered', lastStatus: 200 }]);
});
