import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signRequest } from '@railyard/core/protocol';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createSealer } from '../../src/secrets/index.ts';
import { type Database, openDatabase } from '../../src/storage/index.ts';
import { FINDING_KINDS } from '../../src/storage/upkeep.ts';
import { RETENTION } from '../../src/storage/retention.ts';
import { cronJobsOf, pollersOf } from '../../src/work/queues.ts';
import { anyMethodConfig } from '../support/any-method-config.ts';
import { anyMethodProvider } from '../support/any-method-connector.ts';
import { copyPayments } from '../support/copied-payments.ts';
import { endOfLog, type Explained, explainedSince, explainEverything } from '../support/explained.ts';
import { merchantActs, payByCard } from '../support/merchant-acts.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { merchant, post, startOn } from '../support/service.ts';
import { serviceContext } from '../support/service-context.ts';

/** Stored payments: more than a statement may read, ten times as many in each `npm run test:soak`, and a million (11 GB) in a whole one. */
const STORIES = Number(process.env['RAILYARD_SOAK'] ?? 0);
const MANY = STORIES >= 10_000 ? 1_000_000 : STORIES > 0 ? 200_000 : 20_000;
/** Pages of 8 KB that a statement may read for one payment. Their number is that of the indexes and of the rows that are found in them. */
const FEW_PAGES = 300;
/** Payments that are too old to be kept, and the pages that a statement may read for each. */
const OLD = 100;
const PAGES_FOR_OLD = 60;
/**
 * The job library's insert of the calendar's jobs that are due: some 330 pages for three jobs on a new connection, however many payments are stored.
 * It comes with a minute's beginning, which may fall into a test. What the library reads counts.
 */
const CALENDAR_INSERT = /^\s*INSERT INTO railyard_jobs\.[\s\S]*__pgboss__send-it/;
const DAY = 86_400_000;
/** Of every setting. */
const KEPT_DAYS = 150;

const encryptionKey = randomBytes(32);
let folder: string;
let server: PostgresServer;
let database: Database;
let shop: Receiver;
let provider: Awaited<ReturnType<typeof anyMethodProvider>>;
/** When the payment that was copied was paid. */
let paidAt: number;

const configOn = (port: number) => ({
  ...anyMethodConfig({ providerUrl: provider.url, callbackUrl: shop.url, port }),
  dataDir: join(folder, 'service'),
  databaseUrl: server.url('postgres'),
  encryptionKey: encryptionKey.toString('base64'),
  retention: Object.fromEntries(Object.keys(RETENTION).map((name) => [name, KEPT_DAYS])),
});

/** A payment with everything that merchants do with one. */
async function payAndRefund(url: string): Promise<void> {
  const acts = merchantActs(url);
  const order = await payByCard(url);
  const { fields } = await shop.until((each) => each.fields['order_number'] === order);
  const id = fields['id'] ?? expect.fail();
  const tx = `tx-${provider.asked.at(-1)?.reference ?? expect.fail()}`;
  expect(
    await acts.notify({ event: randomUUID(), kind: 'refund', payment: tx, amount: '1.00', id: randomUUID() }),
  ).toBe(200);
  await shop.until((each) => each.fields['id'] === id && each.fields['type'] === 'refund');
  expect((await acts.refund(id, '3.00')).status).toBe(200);
  expect(await acts.status(id)).toBe('settled');
  const hash = signRequest('status_by_order', { order_id: order }, merchant.password);
  const found = await post(`${url}/api/v1/payment/status`, { merchant_key: merchant.key, order_id: order, hash });
  expect(found.status).toBe(200);
}

beforeAll(async () => {
  [shop, provider] = await Promise.all([receiver(), anyMethodProvider()]);
  folder = await mkdtemp(join(tmpdir(), 'checkout-many-'));
  server = await startPostgres(inject('server').programs, () => Promise.resolve(folder));
  const service = await startOn(configOn);
  await payAndRefund(service.url);
  await service.stop();
  paidAt = Date.now();
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  await copyPayments(client, MANY);
  await client.end();
  await explainEverything(server.url('postgres'));
  database = await openDatabase({ url: server.url('postgres'), poolSize: 1 });
}, 900_000);

afterAll(async () => {
  await database.close();
  await server.remove();
  await Promise.all([shop.close(), provider.close()]);
});

/** The statements of some work without the calendar's insert, those that read most first. */
async function statementsOf(work: () => Promise<void>): Promise<Explained[]> {
  const from = await endOfLog(folder);
  await work();
  const statements = await explainedSince(folder, from);
  return statements.filter(({ text }) => !CALENDAR_INSERT.test(text)).toSorted((a, b) => b.pages - a.pages);
}

const listOf = (statements: readonly Explained[]): string =>
  statements
    .map(
      ({ pages, scanned, text }) =>
        `${pages} pages${scanned.length > 0 ? `, reads all of ${scanned.join(', ')}` : ''}: ${text}`,
    )
    .join('\n\n');

function expectFewPages(statements: readonly Explained[], most: number): void {
  expect(statements.length).toBeGreaterThan(5);
  const bad = statements.filter(({ pages }) => pages > most);
  expect(bad, listOf(bad)).toEqual([]);
}

describe(`with ${MANY} stored payments`, () => {
  test('session, payment, callbacks, refund and lookups read what is theirs', async () => {
    const service = await startOn(configOn);
    const statements = await statementsOf(() => payAndRefund(service.url));
    await service.stop();
    expectFewPages(statements, FEW_PAGES);
  });

  const contextAt = (at: number) => {
    const { context, close } = serviceContext(database.db, configOn(0), () => at);
    return { context: { ...context, sealer: createSealer([encryptionKey]) }, close };
  };

  test('claims of all kinds, reconciliation and housekeeping read what is due', async () => {
    const { context, close } = contextAt(paidAt + 60_000);
    const statements = await statementsOf(async () => {
      for (const poller of pollersOf(context).all) {
        await poller.poll();
        await poller.stop();
      }
      for (const { name, run } of cronJobsOf(context, false)) if (name !== 'tidying') await run();
      // Where there is something to take.
      for (const kind of FINDING_KINDS) await context.stores.findings.take(kind);
    });
    await close();
    expectFewPages(statements, FEW_PAGES);
  });

  test('retention reads what is too old', async () => {
    const { context, close } = contextAt(paidAt + KEPT_DAYS * DAY - (MANY - OLD) * 1000);
    const statements = await statementsOf(async () => {
      for (const { name, run } of cronJobsOf(context, false)) if (name === 'tidying') await run();
    });
    await close();
    expectFewPages(statements, OLD * PAGES_FOR_OLD);
  });
});
