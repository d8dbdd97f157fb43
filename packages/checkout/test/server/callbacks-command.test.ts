import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { newDataDir } from '../support/data-dir.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { runBin } from '../support/run-bin.ts';
import { createPage, pressPay, sessionBody, startOn } from '../support/service.ts';

const folder = mkdtempSync(fileURLToPath(new URL('../fixtures/command-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));

const config = join(folder, 'config.mjs');
writeFileSync(
  config,
  `import { instantConnector } from '@railyard/connector-pix';
   export default {
     publicUrl: 'http://127.0.0.1:1', connectors: [instantConnector],
     mids: [{ id: 'a', connector: instantConnector.id, settings: { base_url: 'http://127.0.0.1:1', api_key: 'k', webhook_secret: 's' } }],
     merchants: [{ key: 'm', name: 'Shop', password: 'password-of-the-shop', methods: [{ key: 'pix', mid: 'a' }] }],
   };`,
);

test('an operator looks after callbacks beside the running service', async () => {
  const [provider, shop, home] = await Promise.all([pixProvider(), receiver(), newDataDir()]);
  const service = await startOn((port) => pixConfig(provider, shop.url, port, home.place));
  const command = (...args: string[]) =>
    runBin(['callbacks', ...args, '--json', '--config', config], folder, {
      DATABASE_URL: home.place.databaseUrl ?? '',
    });

  shop.state.status = 410;
  await pressPay(await createPage(service.url, sessionBody()));
  const told = () => service.lines.some((line) => line.includes('needs-attention'));
  await expect.poll(told, { interval: 20 }).toBe(true);
  const listed = await command('list');
  expect(listed.complained).toBe('');
  expect(JSON.parse(listed.said)).toMatchObject([{ state: 'waiting', held: 'disabled', lastStatus: 410 }]);

  shop.state.status = 200;
  expect(JSON.parse((await command('resume', shop.url)).said)).toMatchObject({ due: 1, wasPaused: false });
  const delivered = () => service.lines.some((line) => line.includes('"result":"delivered"'));
  await expect.poll(delivered, { interval: 20 }).toBe(true);
  expect(new Set(shop.received.map(({ body }) => body)).size).toBe(1);
  expect(JSON.parse((await command('list')).said)).toMatchObject([{ state: 'delivered', attempts: 2, held: null }]);

  await service.stop();
  await Promise.all([provider.close(), shop.close(), home.remove()]);
}, 120_000);
