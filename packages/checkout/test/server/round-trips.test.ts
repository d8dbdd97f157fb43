import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CheckoutConfig } from '../../src/index.ts';
import { apmSaleFields } from '../support/apm-commands.ts';
import { collectionConfig } from '../support/collection-config.ts';
import { collectionProvider } from '../support/collection-provider.ts';
import { sendCommand } from '../support/commands.ts';
import { newDataDir, type DataDir } from '../support/data-dir.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider } from '../support/pix-provider.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { createPage, pressPay, sessionBody, startOn } from '../support/service.ts';
import { type StatementLog, statementLog } from '../support/statement-log.ts';

/**
 * The round trips of a Pix payment from the session request to the recorded delivery of its last callback, one payment at a time. They may
 * only go down; docs/decisions/how-it-is-fast.md names each of them.
 */
const ROUND_TRIPS = { signed: 8, lookedUp: 11, commanded: 8 };

const RECORDED = 'INSERT INTO callback_attempts';
/** Recorded attempts of callbacks: that the payment waits, and that it is settled. */
const CALLBACKS = 2;

/** For so long after its start a service publishes to processes that have not answered yet (server-change-bus.ts). */
const ANSWER_MS = 1000;

/** The job library's own upkeep, which comes by its clock. */
const OF_THE_LIBRARY = /__pgboss__|pg_listening_channels/;

let shop: Receiver;
let directory: DataDir;
let log: StatementLog;

beforeEach(async () => {
  [shop, directory] = await Promise.all([receiver(), newDataDir()]);
  log = await statementLog(directory.place.databaseUrl ?? expect.fail());
  // Nothing comes by the clock: what an idle service asks for is no part of a payment.
  vi.useFakeTimers({ toFake: ['setInterval'] });
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all([log.close(), shop.close()]);
  await directory.remove();
});

const startService = (configOn: (port: number) => CheckoutConfig) =>
  startOn((port) => ({ ...configOn(port), ...directory.place, databaseUrl: log.url }));

/**
 * The statements of one payment. What follows a payment counts to the next one's time: the middle one of seven has all of its own.
 *
 * @param begin presses the button @param settle has the provider report that the payment is paid
 */
async function statementsOf(begin: () => Promise<unknown>, settle: () => Promise<unknown>) {
  let payments = 0;
  const pay = async () => {
    await begin();
    // The payer takes longer than the callback that the payment waits.
    await log.until(RECORDED, payments * CALLBACKS + 1);
    await settle();
    await log.until(RECORDED, (payments += 1) * CALLBACKS);
  };
  const publishes = async () => {
    const start = log.statements.length;
    await pay();
    return log.statements.slice(start).some((statement) => statement.includes('pg_notify'));
  };
  // Until other processes have had time to answer, a service publishes its changes to those that may be there; not with each payment, where
  // payments come faster than it publishes.
  const start = performance.now();
  while ((await publishes()) || performance.now() - start < 2 * ANSWER_MS);
  const from: number[] = [];
  for (let payment = 0; payment < 8; payment += 1) {
    from.push(log.statements.length);
    await pay();
  }
  const counted = from
    .slice(1)
    .map((end, index) => log.statements.slice(from[index], end).filter((statement) => !OF_THE_LIBRARY.test(statement)))
    .toSorted((a, b) => a.length - b.length);
  return counted[Math.floor(counted.length / 2)] ?? [];
}

/** Fields that no connector declares. */
const NEWS = { risk_level: 'low', fees: [1] };

const writesDrift = (statement: string) => statement.includes('INTO reply_drift');

/** Pix payments with one provider call each. @param more what the provider answers beside what its connector declares */
async function signedPayments(more: object = {}) {
  const provider = await pixProvider();
  provider.reshape = (status, json) => ({ status, json: { ...Object(json), ...more } });
  const service = await startService((port) => pixConfig(provider, shop.url, port));
  return {
    begin: async () => pressPay(await createPage(service.url, sessionBody())),
    command: async () => sendCommand(service.url, apmSaleFields(), {}, '/post-va'),
    settle: async () => {
      const entry = provider.ledger.at(-1) ?? expect.fail();
      entry.status = 'PAID';
      expect(await provider.notify(`${service.url}/notify/pix-main`, entry)).toBe(204);
    },
    drift: service.drift,
    async end() {
      await service.stop();
      await provider.close();
    },
  };
}

/** Pix payments whose notifications lead to a lookup. */
async function lookedUpPayments(more: object = {}) {
  const provider = await collectionProvider(more);
  const service = await startService((port) => collectionConfig(provider.url, shop.url, port));
  const body = () => sessionBody({ methods: ['pix-collection'] });
  return {
    begin: async () => pressPay(await createPage(service.url, body()), { method: 'pix-collection' }),
    settle: () => provider.payNewest(),
    drift: service.drift,
    async end() {
      await service.stop();
      await provider.close();
    },
  };
}

function expectAtMost(most: number, statements: readonly string[]): void {
  const list = statements.map((statement, index) => `${index + 1} ${statement.slice(0, 160)}`).join('\n');
  process.stdout.write(`Round trips of one payment: ${statements.length}\n${list}\n`);
  expect(statements.length, `More round trips than before:\n${list}`).toBeLessThanOrEqual(most);
}

describe('round trips to the database', () => {
  test('a payment with one provider call and a signed notification makes no more of them than before', async () => {
    const { begin, settle, end } = await signedPayments();
    expectAtMost(ROUND_TRIPS.signed, await statementsOf(begin, settle));
    await end();
  });

  test('a payment that begins by command makes no more of them than before', async () => {
    const { command, settle, end } = await signedPayments();
    expectAtMost(ROUND_TRIPS.commanded, await statementsOf(command, settle));
    await end();
  });

  test('a payment whose notification only says where to look makes no more of them than before', async () => {
    const { begin, settle, end } = await lookedUpPayments();
    expectAtMost(ROUND_TRIPS.lookedUp, await statementsOf(begin, settle));
    await end();
  });

  test.each([
    { way: 'is signed', most: ROUND_TRIPS.signed, payments: () => signedPayments(NEWS) },
    { way: 'only says where to look', most: ROUND_TRIPS.lookedUp, payments: () => lookedUpPayments(NEWS) },
  ])(
    'a payment whose provider answers what its connector does not declare makes none more where its notification $way',
    async ({ most, payments }) => {
      const { begin, settle, drift, end } = await payments();
      const statements = await statementsOf(begin, settle);
      expectAtMost(most, statements);
      expect(statements.filter(writesDrift)).toEqual([]);
      const before = log.statements.length;
      const counts = await drift();
      // One statement for what all payments of the time had.
      expect(log.statements.slice(before).filter(writesDrift)).toHaveLength(1);
      const unnamed = counts.filter(({ kind, seen }) => kind === 'unnamed-field' && seen >= 8);
      expect(new Set(unnamed.map(({ place }) => place))).toEqual(new Set(Object.keys(NEWS)));
      await end();
    },
  );
});
