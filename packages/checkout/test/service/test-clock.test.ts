import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { testKeyAt } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { createPage, pixConfig, pressPay, sessionBody, startOn, trial } from '../support/service.ts';
import { moveClock } from '../support/test-clock.ts';

let provider: PixProvider;
let shop: Receiver;
let service: Awaited<ReturnType<typeof startOn>>;

beforeAll(async () => {
  [provider, shop] = await Promise.all([pixProvider(), receiver()]);
  service = await startOn((port) => {
    const config = pixConfig(provider, shop.url, port);
    return { ...config, merchants: config.merchants.map((own) => ({ ...own, test: testKeyAt(shop.url) })) };
  });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([provider.close(), shop.close()]);
});
afterEach(() => {
  provider.lifetimeMs = undefined;
  shop.state.status = 200;
});

/** Opens a page and has a code made there. */
async function showCode(key: string = trial.key) {
  const body = sessionBody({ merchant_key: key, session_expiry: 60 });
  const page = await createPage(service.url, body);
  await pressPay(page);
  const charge = provider.ledger.at(-1);
  if (charge === undefined) throw new Error('The provider was not called.');
  return { number: body.order.number, page, charge };
}

const told = (number: string, status: string) =>
  shop.until(({ fields }) => fields['order_number'] === number && fields['order_status'] === status);

const CLOSED = 'This page has closed';

const textOf = async (page: string) => (await fetch(page)).text();

test('a payment of which no notification came is looked up once its time has come', async () => {
  const { number, charge } = await showCode();
  charge.status = 'PAID';
  await moveClock(service.url, '30min');
  expect((await told(number, 'settled')).fields['test']).toBe('true');
});

test('a session without a payment expires, and a live one stays open', async () => {
  const [own, live] = [
    await createPage(service.url, sessionBody({ merchant_key: trial.key })),
    await createPage(service.url, sessionBody()),
  ];
  await moveClock(service.url, '40d');
  expect(await textOf(own)).toContain(CLOSED);
  expect(await textOf(live)).not.toContain(CLOSED);
});

test('a code is over earlier, and the payer may have a new one', async () => {
  provider.lifetimeMs = 1_800_000;
  const { page } = await showCode();
  expect((await fetch(`${page}/renew`, { method: 'POST', redirect: 'manual' })).status).toBe(303);
  const before = provider.ledger.length;
  await moveClock(service.url, '31min');
  await fetch(`${page}/renew`, { method: 'POST', redirect: 'manual' });
  expect(provider.ledger.length).toBe(before + 1);
});

test('a payment that can be paid no more expires once its provider confirms that nothing came', async () => {
  provider.lifetimeMs = 1_800_000;
  const { number } = await showCode();
  await moveClock(service.url, '4h');
  expect((await told(number, 'decline')).fields['reason']).toContain('expired');
});

test('a repeat of a request under its key moves nothing', async () => {
  const [first, again, other] = [
    await moveClock(service.url, '1h', trial, 'once'),
    await moveClock(service.url, '1h', trial, 'once'),
    await moveClock(service.url, '1h'),
  ];
  expect(again.json).toEqual(first.json);
  const ahead = ({ json }: typeof first) => Number(Object(json).seconds_ahead);
  expect(ahead(other) - ahead(first)).toBe(3600);
});

test('a callback that was refused is tried again once its time has come', async () => {
  shop.state.status = 500;
  const { number, charge } = await showCode();
  charge.status = 'PAID';
  await provider.notify(`${service.url}/notify/pix-main`, charge);
  const { headers } = await shop.until(({ fields }) => fields['order_number'] === number);
  const tries = () => shop.received.filter((each) => each.headers['webhook-id'] === headers['webhook-id']).length;
  const refusals = () => service.lines.filter((line) => line.includes('"result":"retry"')).length;
  // The first wait is of seconds, the second of minutes.
  for (const refused of [1, 2]) {
    await expect.poll(refusals, { interval: 20 }).toBe(refused);
    if (refused === 2) shop.state.status = 200;
    await moveClock(service.url, '1d');
    await expect.poll(tries, { interval: 20 }).toBe(refused + 1);
  }
});
