import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cardProvider, type CardProvider } from '../support/card-provider.ts';
import { CARD, cardBody, payByCard } from '../support/card-service.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { freePort } from '../support/listen.ts';
import { receiver } from '../support/receiver.ts';
import { createPage } from '../support/service.ts';
import { type ServiceProcess, spawnService } from '../support/spawn-service.ts';

let provider: CardProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let directory: DataDir;
let running: ServiceProcess;
let start: () => Promise<void>;

beforeEach(async () => {
  provider = await cardProvider();
  provider.state.refuses = () => provider.asked.length === 1;
  shop = await receiver();
  directory = await newDataDir();
  const port = await freePort();
  start = async () => {
    const at = { provider: { url: provider.url, apiKey: '', webhookSecret: '' }, callbackUrl: shop.url, port };
    running = spawnService({ ...at, deployment: 'cascading', place: directory.place, kill: 'never' });
    await running.ready;
  };
  await start();
});

afterEach(async () => {
  running.kill('SIGKILL');
  await running.ended;
  await Promise.all([provider.close(), shop.close(), directory.remove()]);
});

/** Pays, is killed on the way, and started again. @returns the page */
async function payAndDie() {
  const page = await createPage(running.url, cardBody());
  const pressed = payByCard(page, CARD).catch(() => undefined);
  await running.ended;
  await pressed;
  provider.state.beforeReply = () => true;
  await start();
  return page;
}

const show = async (page: string) => (await fetch(page)).text();
const isLast = () => provider.asked.length === 2;

describe('a service that is killed while a payment goes on at the next account', () => {
  test('before the first answered asks no other account: the code is gone, and the payer enters the card again', async () => {
    provider.state.beforeReply = () => !running.kill('SIGKILL');
    const page = await payAndDie();
    const { fields } = await shop.until((told) => told.fields.status === 'fail');
    expect(fields).toMatchObject({ order_status: 'decline' });
    expect(await show(page)).toContain('You can try 2 more times.');
    expect(provider.asked).toHaveLength(1);
  });

  test('before the request to the next left charges nothing, and no failure is reported', async () => {
    provider.state.beforeReply = async () => {
      await running.killItself('before-call');
      return true;
    };
    const page = await payAndDie();
    await shop.until(({ fields }) => fields.status === 'undefined');
    expect(await show(page)).toContain('Checking your payment');
    expect(provider.asked).toHaveLength(1);
  });

  test.each(['before its answer', 'after its answer'])(
    'and was charged there, %s, settles that one charge',
    async (when) => {
      provider.state.beforeReply = async () => {
        if (!isLast()) return true;
        if (when === 'before its answer') return !running.kill('SIGKILL');
        await running.killItself('after-reply');
        return true;
      };
      const page = await payAndDie();
      await shop.until(({ fields }) => fields.status === 'success');
      expect(await show(page)).toContain('Payment complete');
      expect(provider.asked.map(({ status }) => status)).toEqual(['REFUSED', 'PAID']);
      expect(shop.received.map(({ fields }) => fields.status)).toEqual(['success']);
    },
  );
});
