import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newDataDir, type DataDir } from '../support/data-dir.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { createPage, pressPay, sessionBody, startOn } from '../support/service.ts';
import { type StatementLog, statementLog } from '../support/statement-log.ts';

/**
 * The round trips of a Pix payment with one provider call and a signed notification, from the session request to the recorded delivery
 * of the last callback. It may only go down.
 */
const ROUND_TRIPS = 9;

/** Recorded attempts of callbacks: that the payment waits, and that it is settled. */
const CALLBACKS = 2;
const RECORDED = 'INSERT INTO callback_attempts';
const PAYMENTS = 40;

let provider: PixProvider;
let shop: Receiver;
let directory: DataDir;
let log: StatementLog;
let service: Awaited<ReturnType<typeof startOn>>;

beforeAll(async () => {
  [provider, shop, directory] = await Promise.all([pixProvider(), receiver(), newDataDir()]);
  // Nothing comes by the clock: what an idle service asks for is no part of a payment.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  log = await statementLog(directory.place.databaseUrl ?? expect.fail());
  service = await startOn((port) => pixConfig(provider, shop.url, port, { ...directory.place, databaseUrl: log.url }));
}, 60_000);

afterAll(async () => {
  vi.useRealTimers();
  await service.stop();
  await log.close();
  await Promise.all([shop.close(), provider.close()]);
  await directory.remove();
});

/** One payment, whose payer takes longer than the callback before, up to the statement that records the delivery of its last callback. */
async function payOnce(before: number): Promise<void> {
  await pressPay(await createPage(service.url, sessionBody()));
  await log.until(RECORDED, before * CALLBACKS + 1);
  const entry = provider.ledger.at(-1) ?? expect.fail();
  entry.status = 'PAID';
  expect(await provider.notify(`${service.url}/notify/pix-main`, entry)).toBe(204);
  await log.until(RECORDED, (before + 1) * CALLBACKS);
}

describe('round trips to the database', () => {
  test('a whole payment makes no more of them than before', { timeout: 60_000 }, async () => {
    // What follows a payment counts to the next one's time: the middle one of many has all of its own and nothing of the service's start.
    const from: number[] = [];
    for (let payment = 0; payment < PAYMENTS; payment += 1) {
      from.push(log.statements.length);
      await payOnce(payment);
    }
    const counted = from
      .slice(1)
      .map((end, index) => log.statements.slice(from[index], end))
      .toSorted((a, b) => a.length - b.length);
    const middle = counted[Math.floor(counted.length / 2)] ?? [];
    const list = middle.map((statement, index) => `${index + 1} ${statement.slice(0, 160)}`).join('\n');
    process.stdout.write(`Round trips of one payment: ${middle.length}\n${list}\n`);
    expect(middle.length, `More round trips than before:\n${list}`).toBeLessThanOrEqual(ROUND_TRIPS);
  });
});
