import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { testKeyAt } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { copyPayments } from '../support/copied-payments.ts';
import { createPage, pixConfig, sessionBody, startOn, trial } from '../support/service.ts';
import { moveClock } from '../support/test-clock.ts';

/** More than a request moves. */
const MANY = 6000;

let provider: PixProvider;
let directory: DataDir;
let client: Client;
let service: Awaited<ReturnType<typeof startOn>>;

beforeAll(async () => {
  [provider, directory] = await Promise.all([pixProvider(), newDataDir()]);
  service = await startOn((port) => {
    const config = pixConfig(provider, 'http://127.0.0.1:9', port, directory.place);
    return { ...config, merchants: config.merchants.map((own) => ({ ...own, test: testKeyAt('http://127.0.0.1:9') })) };
  });
  client = new Client({ connectionString: directory.place.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await service.stop();
  await provider.close();
  await directory.remove();
});

const open = async () => {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM sessions WHERE state = 'open'`,
  );
  return rows[0]?.count;
};

test('a move of more than one request does says so, and the service does the rest by itself', async () => {
  await createPage(service.url, sessionBody({ merchant_key: trial.key }));
  expect(await moveClock(service.url, '1min')).toMatchObject({ status: 200, json: { is_complete: true } });
  await copyPayments(client, MANY - 1);
  expect(await moveClock(service.url, '30d')).toMatchObject({
    status: 200,
    json: { is_complete: false, seconds_ahead: 30 * 86_400 + 60 },
  });
  await expect.poll(open, { interval: 50, timeout: 30_000 }).toBe(0);
  await expect
    .poll(async () => (await client.query('SELECT FROM clock_moves')).rowCount, { interval: 50, timeout: 30_000 })
    .toBe(0);
});
