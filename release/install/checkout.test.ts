import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../packages/checkout/test/support/listen.ts';
import { nodeOf, supportedNodes } from '../../test/support/pack.ts';
import { requireTool } from '../../test/support/tool.ts';
import { npmInstall } from '../../test/support/npm-install.ts';
import { parseManifest } from '../../test/support/workspace.ts';
import { installed, projectWith } from './support/project.ts';

const OURS = ['core', 'runtime', 'checkout', 'connector-card', 'connector-pix', 'simulator'];
let folder: string;

beforeAll(() => {
  folder = projectWith(OURS.map((name) => `@railyard/${name}`));
  const engine = '@electric-sql/pglite';
  const range = readPeers(join(folder, 'node_modules/@railyard/checkout'))[engine];
  npmInstall(process.execPath, ['--prefer-offline', `${engine}@${range}`], folder);
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

test('a checkout for a PostgreSQL server, with one connector, installs at most 35 MB, and names the package of the embedded database', () => {
  const small = projectWith(['core', 'runtime', 'checkout', 'connector-pix'].map((name) => `@railyard/${name}`));
  const megabytes = sizeOf(join(small, 'node_modules')) / 2 ** 20;
  process.stdout.write(`checkout, connector-pix and their libraries: ${megabytes.toFixed(1)} MB\n`);
  expect(megabytes).toBeLessThanOrEqual(35);
  writeFileSync(
    join(small, 'railyard.config.mjs'),
    `import { instantConnector } from '@railyard/connector-pix';
export default { publicUrl: 'http://127.0.0.1', port: 0, dataDir: 'memory', connectors: [instantConnector],
  mids: [{ id: 'pix-main', connector: 'pix-instant', settings: { base_url: 'http://127.0.0.1:1', api_key: 'k', webhook_secret: 's' } }],
  merchants: [{ key: 'shop', name: 'Shop', password: 'password-of-the-shop', methods: [{ key: 'pix', mid: 'pix-main' }] }] };
`,
  );
  const bin = join(small, 'node_modules/@railyard/checkout/dist/bin.js');
  const args = [bin, 'railyard.config.mjs'];
  const { stderr, status } = spawnSync(process.execPath, args, { cwd: small, encoding: 'utf8', timeout: 60_000 });
  expect(stderr).toContain('Run npm install @electric-sql/pglite, or set databaseUrl to a PostgreSQL server.');
  expect(status).toBe(1);
});

const readPeers = (home: string) => parseManifest(readFileSync(join(home, 'package.json'), 'utf8')).peerDependencies;

/** Bytes of all files below a folder. A megabyte of `du -m` has 2^20 of them. */
function sizeOf(home: string): number {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

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
