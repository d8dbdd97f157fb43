import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../packages/checkout/test/support/listen.ts';
import { nodeOf, supportedNodes } from '../../test/support/pack.ts';
import { requireTool } from '../../test/support/tool.ts';
import { installed, projectWith } from './support/project.ts';

const OURS = ['core', 'runtime', 'checkout', 'connector-card', 'connector-pix', 'simulator'];
let folder: string;

beforeAll(() => {
  folder = projectWith(OURS.map((name) => `@railyard/${name}`));
  for (const name of ['railyard.config.mjs', 'pay.mjs'])
    copyFileSync(fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)), join(folder, name));
});

test('the checkout and two connectors bring nothing else of ours', () => {
  expect(installed(folder)).toEqual(OURS.toSorted());
});

test.for(supportedNodes)('a checkout of five lines takes a payment on Node %s', async (version, ctx) => {
  const node = requireTool(ctx, nodeOf(version));
  const [port, providerPort] = await Promise.all([freePort(), freePort()]);
  const env = {
    ...process.env,
    CHECKOUT_PORT: String(port),
    PIX_PROVIDER: `http://127.0.0.1:${providerPort}/pix-instant`,
  };
  const bin = join(folder, 'node_modules/@railyard/checkout/dist/bin.js');
  const service = spawn(node, [bin, 'railyard.config.mjs'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void service.kill('SIGKILL'));
  expect(await heardFrom(service.stderr)).toContain(`http://127.0.0.1:${port}`);
  const args = ['pay.mjs', `http://127.0.0.1:${port}`, String(providerPort)];
  const { stdout, stderr, status } = spawnSync(node, args, { cwd: folder, encoding: 'utf8', timeout: 60_000 });
  expect({ stdout, stderr, status }).toEqual({ stdout: 'settled after charge, settled\n', stderr: '', status: 0 });
});

/** The output of a program until it has its address, or until it ends. */
function heardFrom(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('listens on')) resolve(text);
    });
    stream.once('close', () => resolve(text));
  });
}
