import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@railyard/client';
import { acquirerConnector } from '@railyard/connector-card';
import { acquirerSimulation } from '@railyard/connector-card/simulation';
import { instantConnector } from '@railyard/connector-pix';
import { instantSimulation } from '@railyard/connector-pix/simulation';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type PostgresServer, startPostgres } from '../../packages/checkout/test/support/postgres-server.ts';
import { copyServerPrograms } from '../../packages/checkout/test/support/server-programs.ts';
import { callbackSecret, merchant, pressPay, simulated } from '../support/deployment.ts';
import { freePort } from '../support/servers.ts';

const CONFIG = fileURLToPath(new URL('railyard.config.mjs', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../packages/checkout/src/bin.ts', import.meta.url));
const command = (...args: readonly string[]) => ['--conditions=@railyard/source', PROGRAM, ...args];
const secrets = {
  SHOP_PASSWORD: merchant.password,
  SHOP_CALLBACK_SECRET: callbackSecret,
  PIX_API_KEY: 'an-example-of-api_key',
  PIX_WEBHOOK_SECRET: 'an-example-of-webhook_secret',
  CARD_API_KEY: 'an-example-of-api_key',
  CARD_WEBHOOK_SECRET: 'an-example-of-webhook_secret',
};

test('the profile that the form validates with is what the deployment exports', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, command('profile', merchant.key, CONFIG), {
    env: { ...process.env, ...secrets },
  });
  const kept = await readFile(new URL('../browser-form/profile.json', import.meta.url), 'utf8');
  expect(JSON.parse(kept)).toEqual(JSON.parse(stdout));
});

let programs: string;
let server: PostgresServer;
let providers: Awaited<ReturnType<typeof simulated>>;
let ports: readonly number[];
let processes: readonly ChildProcess[] = [];

beforeAll(async () => {
  programs = copyServerPrograms();
  server = await startPostgres(programs);
  providers = await simulated([
    { connector: instantConnector, simulation: instantSimulation, methods: ['pix'] },
    { connector: acquirerConnector, simulation: acquirerSimulation, methods: ['card'] },
  ]);
  ports = [await freePort(), await freePort()];
  const environment = {
    ...process.env,
    ...secrets,
    DATABASE_URL: server.url('postgres'),
    RAILYARD_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    CALLBACK_NETWORK: 'any',
    SHOP_CALLBACK_URL: `http://127.0.0.1:${await freePort()}/callbacks`,
    PIX_URL: providers.baseUrl(instantConnector.id),
    CARD_URL: providers.baseUrl(acquirerConnector.id),
  };
  processes = ports.map((port) =>
    spawn(process.execPath, command(CONFIG), {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...environment, PORT: String(port) },
    }),
  );
  const isUp = async (port: number) => {
    if (!(await fetch(`http://127.0.0.1:${port}/health`)).ok) throw new Error('not yet');
  };
  await Promise.all(ports.map((port) => vi.waitFor(() => isUp(port), { timeout: 60_000, interval: 200 })));
}, 120_000);

afterAll(async () => {
  await Promise.all(
    processes.map((each) => {
      const ended = new Promise((resolve) => each.once('exit', resolve));
      each.kill('SIGKILL');
      return ended;
    }),
  );
  await providers.close();
  await server.remove();
  await rm(programs, { recursive: true });
});

const card = {
  'card.number': '4111 1111 1111 1111',
  'card.expiry': '01 / 38',
  'card.cvv': '123',
  'card.name': 'Ada Example',
};

test.each([
  ['br-pix', 'BRL', {}],
  ['card', 'USD', card],
])('a session for %s of one process is paid at the other, and both know it', async (method, currency, fields) => {
  const [first, second] = ports.map((port) =>
    createClient({ baseUrl: `http://127.0.0.1:${port}`, merchantKey: merchant.key, password: merchant.password }),
  );
  const order = { number: `two-${method}`, amount: '10.00', currency, description: 'Two books' };
  const session = { operation: 'purchase', methods: [method], order, success_url: 'https://shop.example/' } as const;
  const parameters = method === 'br-pix' ? { 'br-pix': { debtor_document: '52998224725' } } : undefined;
  const created = await first?.createSession({ ...session, parameters });
  const page = new URL(created?.redirect_url ?? '');
  page.port = String(ports[1]);
  expect(await pressPay(page.href, { method, ...fields })).toBe(303);
  for (const each of [first, second])
    await expect.poll(async () => (await each?.orderStatus({ order_id: order.number }))?.status).toBe('settled');
});
