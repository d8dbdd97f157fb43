import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newDataDir, type DataDir } from '../support/data-dir.ts';
import { openPlace } from '../support/jobs.ts';
import { historyOf } from '../support/killed-payment.ts';
import { freePort } from '../support/listen.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, pressPay, sessionBody, startOn } from '../support/service.ts';
import { type ServiceProcess, spawnService } from '../support/spawn-service.ts';

const MINUTE = 60_000;
let provider: PixProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let directory: DataDir;
let first: ServiceProcess;

beforeEach(async () => {
  [provider, shop, directory] = await Promise.all([pixProvider(), receiver(), newDataDir()]);
  const port = await freePort();
  first = spawnService({ provider, callbackUrl: shop.url, port, place: directory.place, kill: 'never' });
  await first.ready;
});

afterEach(async () => {
  first.kill('SIGKILL');
  await first.ended;
  await shop.close();
  await provider.close();
  await directory.remove();
});

/**
 * Another process on the same database, to which what the first one held by the clock has run out, and for which a minute of silence
 * is over sooner.
 */
const startSecond = () =>
  startOn((port) => pixConfig(provider, shop.url, port, directory.place), {
    clock: () => Date.now() + 2 * MINUTE,
    monotonic: () => performance.now() * 100,
  });

const payout = () =>
  sessionBody({
    operation: 'credit',
    payee: { name: 'Maria Silva' },
    parameters: { pix: { key: 'maria@example.com', source_account_number: '123456', branch_identifier: '0001' } },
  });

async function history() {
  const { db, close } = await openPlace(directory.place);
  try {
    return await historyOf(db);
  } finally {
    await close();
  }
}

const ONCE = { final: 1, runs: ['finished'], undelivered: 0 };

describe('of two processes on one server', () => {
  test('one that is killed while it sends a callback is followed by the other', async () => {
    shop.state.beforeAnswer = () => !first.kill('SIGKILL');
    const body = payout();
    const page = await createPage(first.url, body);
    await pressPay(page).catch(() => undefined);
    expect(await first.ended).toMatchObject({ signal: 'SIGKILL' });
    shop.state.beforeAnswer = () => true;
    const second = await startSecond();
    const ofOrder = () => shop.received.filter(({ fields }) => fields.order_number === body.order.number);
    await shop.until(() => ofOrder().length >= 2);
    await second.stop();
    expect(new Set(ofOrder().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(provider.ledger).toHaveLength(1);
    expect(await history()).toEqual(ONCE);
  });

  test('one that is stopped in a provider call and wakes up later does nothing a second time', async () => {
    provider.beforeReply = () => {
      provider.beforeReply = () => true;
      return first.kill('SIGSTOP');
    };
    const body = payout();
    const page = await createPage(first.url, body);
    const pressed = pressPay(page);
    while (provider.ledger.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = await startSecond();
    await shop.until(({ fields }) => fields.order_number === body.order.number && fields.status === 'success');
    first.kill('SIGCONT');
    expect((await pressed).status).toBe(303);
    first.kill('SIGTERM');
    await first.ended;
    await second.stop();
    expect(provider.ledger).toMatchObject([{ kind: 'payout', amount: '10.00', status: 'PAID' }]);
    const told = shop.received.filter(({ fields }) => fields.status === 'success');
    expect(new Set(told.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await history()).toEqual(ONCE);
  });
});
