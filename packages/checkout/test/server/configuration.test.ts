import { instantConnector } from '@railyard/connector-pix';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Checkout, type CheckoutConfig, createLog, type GivenCatalogue, startCheckout } from '../../src/index.ts';
import { openDatabase } from '../../src/storage/index.ts';
import { anyMethodConnector } from '../support/any-method-connector.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { freePort } from '../support/listen.ts';
import { pixConfig } from '../support/pix-config.ts';
import { createPage, post, sessionBody } from '../support/service.ts';

const provider = { url: 'http://127.0.0.1:1', apiKey: 'test-api-key', webhookSecret: 'test-webhook-secret' };
let directory: DataDir;
let running: Checkout[] = [];
beforeAll(async () => {
  directory = await newDataDir();
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  running = [];
});
afterAll(() => directory.remove());

const configOn = (port: number) => pixConfig(provider, 'http://127.0.0.1:1', port, directory.place);

async function start(config: CheckoutConfig, lines: string[] = []): Promise<Checkout> {
  const checkout = await startCheckout(config, { log: createLog({ write: (line) => lines.push(line) }) });
  running.push(checkout);
  return checkout;
}

const renamed = ({ mids, merchants }: GivenCatalogue, name: string): GivenCatalogue => ({
  mids,
  merchants: merchants.map((each) => ({ ...each, name })),
});

/** The merchant's name on the page of a new session. */
async function nameAt(url: string): Promise<string> {
  const page = await (await fetch(await createPage(url, sessionBody()))).text();
  return ['Loja Exemplo', 'Changed', 'Elsewhere'].find((name) => page.includes(name)) ?? 'another';
}

test('of several processes each takes up what one changed', async () => {
  const [one, two] = [await freePort(), await freePort()];
  const config = configOn(one);
  const { mids: _mids, merchants: _merchants, ...without } = configOn(two);
  const first = await start(config);
  const second = await start(without);
  expect(await nameAt(second.url)).toBe('Loja Exemplo');
  await first.configure(renamed(config, 'Changed'));
  await vi.waitFor(async () => expect(await nameAt(second.url)).toBe('Changed'), { timeout: 40_000 });
  await second.configure(renamed(config, 'Elsewhere'));
  await vi.waitFor(async () => expect(await nameAt(first.url)).toBe('Elsewhere'), { timeout: 40_000 });
  // A session of the one is a page of the other.
  const page = new URL(await createPage(first.url, sessionBody()));
  expect((await fetch(`${second.url}${page.pathname}`)).status).toBe(200);
});

test('a process that cannot use a version says so and goes on with its own', async () => {
  const [one, two] = [await freePort(), await freePort()];
  const config = { ...configOn(one), connectors: [instantConnector, anyMethodConnector] };
  const first = await start(config);
  const lines: string[] = [];
  const second = await start(configOn(two), lines);
  const mid = { id: 'any', connector: anyMethodConnector.id, settings: { base_url: provider.url } };
  const more = renamed({ mids: [...config.mids, mid], merchants: config.merchants }, 'Changed');
  await first.configure(more);
  await vi.waitFor(() => expect(lines.join()).toContain('configuration-refused'), { timeout: 40_000 });
  expect(lines.join()).toContain(`no connector \\"${anyMethodConnector.id}\\" is installed`);
  expect(lines.join()).not.toContain(provider.apiKey);
  expect(await nameAt(second.url)).toBe('Loja Exemplo');
  expect((await post(`${second.url}/api/v1/session`, sessionBody())).status).toBe(200);
  await first.configure(renamed(config, 'Elsewhere'));
  await vi.waitFor(async () => expect(await nameAt(second.url)).toBe('Elsewhere'), { timeout: 40_000 });
});

test('of any number of processes that start at once one stores their configuration', async () => {
  const other = await newDataDir();
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  await Promise.all(ports.map((port) => start({ ...configOn(port), ...other.place })));
  await Promise.all(running.map((each) => each.stop()));
  running = [];
  const { db, close } = await openDatabase({ url: other.place.databaseUrl ?? '' });
  expect(await db.selectFrom('configurations').select(['version', 'origin']).execute()).toEqual([
    { version: 1, origin: 'start' },
  ]);
  expect(await db.selectFrom('serviceSecrets').select('name').orderBy('name').execute()).toEqual([
    { name: 'card-fingerprint-key' },
    { name: 'page-token-key' },
  ]);
  await close();
  await other.remove();
});
