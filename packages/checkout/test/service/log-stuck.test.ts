import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Tool, requireTool } from '../../../../test/support/tool.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { freePort } from '../support/listen.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { bin } from '../support/run-bin.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

const fullDisk: Tool = {
  name: '/dev/full',
  hint: 'run the tests on Linux',
  find: () => (process.platform === 'linux' ? '/dev/full' : undefined),
};

let provider: PixProvider;
let data: DataDir;
// Below the package, so that the configuration finds the connector as an installed one.
const folder = mkdtempSync(fileURLToPath(new URL('../fixtures/log-', import.meta.url)));

beforeEach(async () => {
  provider = await pixProvider();
  data = await newDataDir();
});

afterEach(async () => {
  await provider.close();
  await data.remove();
});

afterAll(() => rmSync(folder, { recursive: true }));

/** The command with a standard output that takes nothing. */
async function start(stdout: number | 'pipe') {
  const port = await freePort();
  const { connectors: _connectors, ...config } = pixConfig(provider, 'http://127.0.0.1:1/callbacks', port);
  const file = join(folder, 'railyard.config.mjs');
  const text = JSON.stringify({ ...config, ...data.place });
  writeFileSync(
    file,
    `import { instantConnector } from '@railyard/connector-pix';\nexport default { ...${text}, connectors: [instantConnector] };`,
  );
  const child = spawn(process.execPath, ['--conditions=@railyard/source', bin, file], {
    stdio: ['ignore', stdout, 'pipe'],
  });
  const ended = once(child, 'exit');
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      said += part;
      if (said.includes('listens on')) resolve();
    });
    void ended.then(() => reject(new Error(said)));
  });
  return { url: `http://127.0.0.1:${port}`, child, ended };
}

async function pay(url: string): Promise<number> {
  const page = await createPage(url, sessionBody());
  await pressPay(page);
  return (await fetch(page)).status;
}

describe('a log that cannot be written', () => {
  test('on a full disk stops no payment and not the end, and health says so', async (ctx) => {
    const { url, child, ended } = await start(openSync(requireTool(ctx, fullDisk), 'w'));
    expect(await pay(url)).toBe(200);
    await expect.poll(async () => (await fetch(`${url}/health`)).json()).toEqual({ status: 'degraded' });
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  test('because its reader left the pipe unread stops no payment and not the end', async () => {
    const { url, child, ended } = await start('pipe');
    // More than a pipe holds.
    for (let payment = 0; payment < 60; payment += 1) expect(await pay(url)).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});
