import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { newDataDir } from './support/data-dir.ts';
import { freePort } from './support/listen.ts';
import { bin, runBin } from './support/run-bin.ts';

// Below the package, so that the configuration finds the connector as an installed one.
const folder = mkdtempSync(fileURLToPath(new URL('./fixtures/bin-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));

function start(config: string | undefined) {
  const file = join(folder, `config-${Math.random().toString(36).slice(2)}.mjs`);
  if (config !== undefined) writeFileSync(file, config);
  const child = spawn(process.execPath, ['--conditions=@railyard/source', bin, file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  const heard = new Promise<string>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('listens on')) resolve(text);
    });
    child.once('close', () => resolve(text));
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { child, heard, ended };
}

const configOf = (port: number, dataDir: string) => `
  import { instantConnector } from '@railyard/connector-pix';
  export default {
    publicUrl: 'http://127.0.0.1:${port}', port: ${port}, dataDir: '${dataDir}', connectors: [instantConnector],
    mids: [{ id: 'a', connector: instantConnector.id, settings: { base_url: 'http://127.0.0.1:1', api_key: 'k', webhook_secret: 's' } }],
    merchants: [{ key: 'm', name: 'Shop', password: 'password-of-the-shop', methods: [{ key: 'pix', mid: 'a' }] }],
  };`;

describe('the command railyard-checkout', () => {
  test('says how it is used', async () => {
    const { code, said, complained } = await runBin(['--help'], folder);
    expect({ code, complained }).toEqual({ code: 0, complained: '' });
    expect(said).toContain('railyard-checkout [config file]');
  });

  test.each([[['--nothing']], [['a.mjs', 'b.mjs']]])('refuses %j and says how it is used', async (args) => {
    const { code, said, complained } = await runBin(args, folder);
    expect({ code, said }).toEqual({ code: 2, said: '' });
    expect(complained).toContain('Usage:');
  });

  test('starts a configuration and stops on SIGTERM', async () => {
    // One that is made already: making a database takes seconds.
    const [port, directory] = await Promise.all([freePort(), newDataDir()]);
    const started = start(configOf(port, directory.path));
    expect(await started.heard).toContain(`http://127.0.0.1:${port}`);
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
    await directory.remove();
  });

  test('names what is wrong with a configuration, and no secret', async () => {
    const started = start(
      `export default { publicUrl: 'nowhere', connectors: [], mids: [], merchants: [{ key: 'm', name: '', password: 'hush-hush', methods: [] }] };`,
    );
    expect(await started.ended).toBe(1);
    const text = await started.heard;
    for (const path of ['publicUrl', 'mids', 'merchants.0.name', 'merchants.0.methods']) expect(text).toContain(path);
    expect(text).not.toContain('hush-hush');
  });

  test('says in words what an encryption key of the environment must be, without the key', async () => {
    const file = join(folder, 'config-key.mjs');
    writeFileSync(file, `export default { publicUrl: 'http://127.0.0.1:1', dataDir: 'memory', connectors: [] };`);
    const given = { RAILYARD_ENCRYPTION_KEY: `${Buffer.alloc(32).toString('base64')}, hush-hush` };
    const { code, complained } = await runBin([file], folder, given);
    expect({ code, complained }).toEqual({
      code: 1,
      complained:
        'The configuration cannot be used:\n  - encryptionKey.1: Use 32 bytes in Base64: openssl rand -base64 32\n',
    });
  });

  test('names a configuration that does not parse, and how to find the place', async () => {
    const file = join(folder, 'config-brackets.mjs');
    writeFileSync(file, 'export default { mids: ] };');
    expect((await runBin(['profile', 'm', file], folder)).complained).toMatch(
      /config-brackets\.mjs cannot be loaded: .*"node --check config-brackets\.mjs" shows the place\.\n$/,
    );
  });

  test('knows a mistyped command from a file', async () => {
    const { code, complained } = await runBin(['aply', 'railyard.config.mjs'], folder);
    expect(code).toBe(2);
    expect(complained).toContain('There is no command "aply"');
  });

  test('says which file is missing', async () => {
    const started = start(undefined);
    expect(await started.ended).toBe(1);
    expect(await started.heard).toContain('There is no');
  });
});

test('a command whose reader goes away ends quietly', async () => {
  const child = spawn(process.execPath, ['--conditions=@railyard/source', bin, '--help']);
  let complained = '';
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString('utf8')));
  child.stdout.destroy();
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, complained }).toEqual({ code: 0, complained: '' });
});
