import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cardProvider, type CardProvider } from '../support/card-provider.ts';
import { CARD, cardBody, payByCard } from '../support/card-service.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { freePort } from '../support/listen.ts';
import { receiver } from '../support/receiver.ts';
import { createPage } from '../support/service.ts';
import { type KillOfItself, type ServiceProcess, spawnService } from '../support/spawn-service.ts';

let provider: CardProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let directory: DataDir;
let running: ServiceProcess;
let start: (kill: KillOfItself) => Promise<void>;

beforeEach(async () => {
  provider = await cardProvider();
  shop = await receiver();
  directory = await newDataDir();
  const port = await freePort();
  start = async (kill) => {
    const at = { provider: { url: provider.url, apiKey: '', webhookSecret: '' }, callbackUrl: shop.url, port };
    running = spawnService({ ...at, deployment: 'card', place: directory.place, kill });
    await running.ready;
  };
  await start('never');
});

afterEach(async () => {
  running.kill('SIGKILL');
  await running.ended;
  await Promise.all([provider.close(), shop.close(), directory.remove()]);
});

/** Pays, and is killed on the way. @returns the page */
async function payAndDie(card: Readonly<Record<string, string>>, order: Readonly<Record<string, string>> = {}) {
  const page = await createPage(running.url, cardBody({}, order));
  const pressed = payByCard(page, card).catch(() => undefined);
  await running.ended;
  await pressed;
  return page;
}

const show = async (page: string) => (await fetch(page)).text();

describe('a card payment of a service that is killed', () => {
  test.each(['between the charge and its answer', 'after the answer'])(
    '%s is looked up and charged once',
    async (when) => {
      if (when === 'after the answer') await running.killItself('after-reply');
      else provider.state.beforeReply = () => !running.kill('SIGKILL');
      const page = await payAndDie(CARD, { number: 'killed-1' });
      provider.state.beforeReply = () => true;
      await start('never');
      const told = await shop.until(({ fields }) => fields.status === 'success');
      expect(told.fields).toMatchObject({ order_number: 'killed-1', card: '411111******1111' });
      expect(await show(page)).toContain('Payment complete');
      expect(provider.asked).toHaveLength(1);
    },
  );

  test('before the charge left is not charged without its code, and no failure is reported', async () => {
    await running.killItself('before-call');
    const page = await payAndDie(CARD);
    await start('never');
    await shop.until(({ fields }) => fields.status === 'undefined');
    expect(await show(page)).toContain('Checking your payment');
    expect(provider.asked).toHaveLength(0);
  });

  test('while the payer is at the bank goes on without the code', async () => {
    const page = await createPage(running.url, cardBody());
    expect((await payByCard(page, { ...CARD, 'card.expiry': '05/38' })).status).toBe(303);
    running.kill('SIGKILL');
    await running.ended;
    await start('never');
    const [payment] = provider.asked;
    if (payment === undefined) throw new Error('The provider was not called.');
    const back = new URLSearchParams({ cres: `cres-${payment.id}` });
    await fetch(payment.return_url, { method: 'POST', body: back, redirect: 'manual' });
    expect(await show(page)).toContain('Payment complete');
    expect(provider.asked).toHaveLength(1);
  });
});
