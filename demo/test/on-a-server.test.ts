import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../packages/checkout/test/support/listen.ts';
import { type PostgresServer, startPostgres } from '../../packages/checkout/test/support/postgres-server.ts';
import { copyServerPrograms } from '../../packages/checkout/test/support/server-programs.ts';
import { startDemo } from '../src/demo.ts';
import { sessionRequest } from '../src/session-request.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'railyard-demo-'));
let programs: string;
let server: PostgresServer;

beforeAll(async () => {
  programs = copyServerPrograms();
  server = await startPostgres(programs);
});

afterAll(async () => {
  await server.remove();
  for (const folder of [programs, dataDir]) rmSync(folder, { recursive: true });
});

test('a demo on a PostgreSQL server needs no key: it makes one and starts again with it', async () => {
  const [checkout, shop, simulator] = [await freePort(), await freePort(), await freePort()];
  const start = () => startDemo({ ports: { checkout, shop, simulator }, dataDir, databaseUrl: server.url('postgres') });
  const first = await start();
  const reply = await fetch(`${first.checkoutUrl}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sessionRequest(first.sample, { operation: 'purchase', methods: ['pix'] }, first.shopUrl)),
  });
  const { redirect_url }: { redirect_url: string } = await reply.json();
  await first.stop();
  const second = await start();
  expect(await (await fetch(redirect_url)).text()).toContain('Coffee beans');
  await second.stop();
});
