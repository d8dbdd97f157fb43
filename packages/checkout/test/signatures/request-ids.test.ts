import { afterAll, beforeAll, expect, test } from 'vitest';
import { newDataDir } from '../support/data-dir.ts';
import { freePort } from '../support/listen.ts';
import { pixConfig } from '../support/pix-config.ts';
import { headersOf, requestKeys } from '../support/signed-call.ts';
import { merchant, startOn } from '../support/service.ts';

const PATH = '/api/v1/payment/status';
const provider = { url: 'http://127.0.0.1:1', apiKey: 'a-key', webhookSecret: 'a-secret-of-notifications' };

let directory: Awaited<ReturnType<typeof newDataDir>>;
let port: number;
let service: Awaited<ReturnType<typeof startOn>>;

const start = () =>
  startOn(() => {
    const config = pixConfig(provider, 'http://127.0.0.1:1/callbacks', port, directory.place);
    return { ...config, merchants: config.merchants.map((own) => ({ ...own, requestKeys })) };
  });

beforeAll(async () => {
  [directory, port] = await Promise.all([newDataDir(), freePort()]);
  service = await start();
});
afterAll(async () => {
  await service.stop();
  await directory.remove();
});

const body = JSON.stringify({ merchant_key: merchant.key, order_id: 'order-none' });
const newHeaders = () => ({ 'content-type': 'application/json', ...headersOf(PATH, body, { key: 'reports' }) });

async function send(headers: Record<string, string>): Promise<string> {
  const reply = await fetch(`${service.url}${PATH}`, { method: 'POST', headers, body });
  return reply.text();
}

const REPLAYED = 'This request came before.';
const ANSWERED = 'Order does not exist.';

test('a request that came before is refused, after a restart of the service too', async () => {
  const first = newHeaders();
  expect(await send(first)).toContain(ANSWERED);
  expect(await send(first)).toContain(REPLAYED);
  await service.stop();
  service = await start();
  expect(await send(first)).toContain(REPLAYED);
  expect(await send(newHeaders())).toContain(ANSWERED);
});

test('of one request that comes many times at once all but the first are refused', async () => {
  const headers = newHeaders();
  const answers = await Promise.all(Array.from({ length: 12 }, () => send(headers)));
  expect(answers.filter((each) => each.includes(ANSWERED))).toHaveLength(1);
  expect(answers.filter((each) => each.includes(REPLAYED))).toHaveLength(11);
});
