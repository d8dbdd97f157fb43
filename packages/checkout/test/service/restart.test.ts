import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newDataDir } from '../support/data-dir.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { freePort } from '../support/listen.ts';
import { createPage, pressPay, sessionBody, startOn } from '../support/service.ts';

let at = Date.now();
let provider: PixProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let directory: Awaited<ReturnType<typeof newDataDir>>;
let port: number;
let service: Awaited<ReturnType<typeof startOn>>;

const start = () => startOn(() => pixConfig(provider, shop.url, port, directory.place), { clock: () => at });

beforeAll(async () => {
  [provider, shop, directory, port] = await Promise.all([pixProvider(), receiver(), newDataDir(), freePort()]);
  service = await start();
});

afterAll(async () => {
  await service.stop();
  await shop.close();
  await provider.close();
  await directory.remove();
});

async function restart(): Promise<void> {
  await service.stop();
  service = await start();
}

const callbacksOf = (number: string) => shop.received.filter(({ fields }) => fields.order_number === number);

describe('after a restart', () => {
  test('an open session leads to its page and is paid there', async () => {
    const page = await createPage(service.url, sessionBody());
    await restart();
    expect((await fetch(page)).status).toBe(200);
    const before = provider.ledger.length;
    expect((await pressPay(page)).status).toBe(303);
    expect(provider.ledger).toHaveLength(before + 1);
  });

  test('a waiting page shows the same code, and its payment is settled', async () => {
    const body = sessionBody();
    const page = await createPage(service.url, body);
    await pressPay(page);
    const charge = provider.ledger.at(-1);
    if (charge === undefined) throw new Error('The provider was not called.');
    await restart();
    expect(await (await fetch(page)).text()).toContain(charge.code);
    charge.status = 'PAID';
    expect(await provider.notify(`${service.url}/notify/pix-main`, charge, { at })).toBe(204);
    await shop.until(({ fields }) => fields.order_number === body.order.number && fields.status === 'success');
  });

  test('a callback that was refused comes again under its id and in its bytes, and not before its time', async () => {
    shop.state.status = 500;
    const body = sessionBody();
    await pressPay(await createPage(service.url, body));
    const { number } = body.order;
    await shop.until(({ fields }) => fields.order_number === number);
    shop.state.status = 200;
    await restart();
    expect(callbacksOf(number)).toHaveLength(1);
    // Five seconds, and the fifth by which the wait may be longer.
    at += 6000;
    await shop.until(() => callbacksOf(number).length === 2);
    const [first, second] = callbacksOf(number);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    expect([first?.signed, second?.signed]).toEqual([true, true]);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
  });
});

test('stopping twice is stopping once, and a page that listens for news does not hold it up', async () => {
  const page = await createPage(service.url, sessionBody());
  const news = await fetch(`${page}/events`);
  expect(news.status).toBe(200);
  await Promise.all([service.stop(), service.stop()]);
  await news.text();
  service = await start();
});
