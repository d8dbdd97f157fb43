import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { instantConnector } from '@railyard/connector-pix';
import { instantSimulation } from '@railyard/connector-pix/simulation';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { callbackSecret, deployment, merchant, pressPay, requestKey } from '../support/deployment.ts';
import { freePort } from '../support/servers.ts';

const PROGRAM = fileURLToPath(new URL('server.ts', import.meta.url));

let port: number;
let checkout: Awaited<ReturnType<typeof deployment>>;
let shop: ReturnType<typeof spawn>;

const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' });

beforeAll(async () => {
  port = await freePort();
  checkout = await deployment({
    accounts: [{ connector: instantConnector, simulation: instantSimulation, methods: ['pix'] }],
    callbackUrl: `http://127.0.0.1:${port}/callbacks`,
  });
  shop = spawn(process.execPath, ['--conditions=@railyard/source', PROGRAM], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      CHECKOUT_URL: checkout.url,
      MERCHANT_KEY: merchant.key,
      REQUEST_KEY: requestKey.id,
      REQUEST_SECRET: requestKey.secret,
      CALLBACK_SECRET: callbackSecret,
      PORT: String(port),
    },
  });
  await vi.waitFor(() => at('/'), { timeout: 60_000 });
});

afterAll(async () => {
  shop.kill();
  await checkout.stop();
});

test('a shop of 30 lines of code sells, hears its callback and shows the order to the payer who returns', async () => {
  const bought = await at('/buy');
  expect(bought.status).toBe(303);
  const page = bought.headers.get('location') ?? '';
  await pressPay(page, { method: 'pix' });
  const backOf = async () => /http:\/\/127\.0\.0\.1:\d+\/return[^"]*/.exec(await (await fetch(page)).text())?.[0] ?? '';
  await expect.poll(backOf).not.toBe('');
  const back = new URL((await backOf()).replaceAll('&amp;', '&'));
  await expect.poll(async () => (await at(`${back.pathname}${back.search}`)).text()).toBe('paid');
  expect((await at(`${back.pathname}${back.search.replace('order-', 'orders-')}`)).status).toBe(400);
});

test('it is as short as it is said to be', () => {
  const lines = readFileSync(PROGRAM, 'utf8').split('\n');
  expect(lines.filter((line) => !/^\s*(\/\/.*|\/\*\*.*)?$/.test(line)).length).toBeLessThanOrEqual(30);
});

test('a callback without a signature is refused', async () => {
  const reply = await fetch(`http://127.0.0.1:${port}/callbacks`, { method: 'POST', body: 'status=success' });
  expect([reply.status, await reply.text()]).toEqual([400, 'no-signature']);
});
