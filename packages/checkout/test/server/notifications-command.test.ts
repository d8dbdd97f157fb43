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
   export default { publicUrl: 'http://127.0.0.1:1', connectors: [instantConnector] };`,
);

test('an operator lists the genuine notifications that were not understood, and no other', async () => {
  const [provider, shop, home] = await Promise.all([pixProvider(), receiver(), newDataDir()]);
  const service = await startOn((port) => pixConfig(provider, shop.url, port, home.place));
  const command = (...args: string[]) =>
    runBin(['notifications', ...args, '--config', config], folder, { DATABASE_URL: home.place.databaseUrl ?? '' });

  await pressPay(await createPage(service.url, sessionBody()));
  const charge = provider.ledger.at(-1) ?? expect.fail();
  const notifyUrl = `${service.url}/notify/pix-main`;
  await provider.notify(notifyUrl, { ...charge, status: 'paid' });
  await provider.notify(notifyUrl, { ...charge, amount: 'ten' });
  const { said, complained } = await command('list', '--json');
  expect(complained).toBe('');
  const [left] = JSON.parse(said);
  expect(JSON.parse(said)).toEqual([
    {
      id: left.id,
      midId: 'pix-main',
      connectorId: 'pix-instant',
      state: 'refused',
      detail: expect.stringMatching(/./),
      receivedAt: left.receivedAt,
    },
  ]);
  expect((await command('list')).said).toContain(`${left.id}\tpix-main\tpix-instant\trefused`);
  expect((await command('forget')).complained).toContain('Give the action list.');

  await service.stop();
  await Promise.all([provider.close(), shop.close(), home.remove()]);
}, 120_000);
