import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/index.ts';
import { freePort } from '../support/listen.ts';
import { serverDatabase } from '../support/server-database.ts';
import { createPage, merchant, sessionBody } from '../support/service.ts';

const bin = fileURLToPath(new URL('../../src/bin.ts', import.meta.url));
// Below the package, so that the configuration finds the connector as an installed one.
const folder = mkdtempSync(fileURLToPath(new URL('../fixtures/bin-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));

function start(port: number, env: Readonly<Record<string, string>>, more = '') {
  const file = join(folder, `config-${port}.mjs`);
  writeFileSync(
    file,
    `import { instantConnector } from '@railyard/connector-pix';
    export default {
      publicUrl: 'http://127.0.0.1:${port}', port: ${port}, connectors: [instantConnector],
      mids: [{ id: 'a', connector: instantConnector.id, settings: { base_url: 'http://127.0.0.1:1', api_key: 'k', webhook_secret: 's' },
        defaults: { pix: { source_account_number: '123456', branch_identifier: '0001' } } }],
      merchants: [{ key: '${merchant.key}', name: 'Shop', password: '${merchant.password}', methods: [{ key: 'pix', mid: 'a' }] }],
      ${more}
    };`,
  );
  const child = spawn(process.execPath, ['--conditions=@railyard/source', bin, file], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  let said = '';
  const heard = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString('utf8');
        if (said.includes('listens on')) resolve(said);
      });
    child.once('close', () => resolve(said));
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { child, heard, ended, said: () => said };
}

const key = () => randomBytes(32).toString('base64');

test('the command keeps its data on the server that the environment names, and prints no secret', async () => {
  const database = await serverDatabase();
  const port = await freePort();
  const secrets = { DATABASE_URL: database.url, RAILYARD_ENCRYPTION_KEY: key() };
  const started = start(port, secrets);
  expect(await started.heard).toContain(`http://127.0.0.1:${port}`);
  const { order, ...body } = sessionBody();
  await createPage(`http://127.0.0.1:${port}`, { ...body, order });
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
  const { db, close } = await openDatabase({ url: database.url });
  expect(await db.selectFrom('sessions').select('orderNumber').execute()).toEqual([{ orderNumber: order.number }]);
  await close();
  for (const secret of [new URL(database.url).password, secrets.RAILYARD_ENCRYPTION_KEY])
    expect(started.said()).not.toContain(secret);
  await database.remove();
});

test('the command ends when the server is not there, and says so without the address', async () => {
  const address = 'postgres://user:hush-hush@127.0.0.1:1/railyard';
  const started = start(await freePort(), { DATABASE_URL: address, RAILYARD_ENCRYPTION_KEY: key() });
  expect(await started.ended).toBe(1);
  expect(started.said()).toBe('The database is not available (ECONNREFUSED).\n');
});

test('a configuration whose database has no value does not lead to the embedded one', async () => {
  const started = start(await freePort(), {}, 'databaseUrl: process.env.NO_SUCH_VARIABLE,');
  expect(await started.ended).toBe(1);
  expect(started.said()).toContain('databaseUrl: is missing (is the environment variable set?).');
});
