import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fixture, fixtureJson, folderOf, runCli, startCli } from './support/run-cli.ts';

const folder = mkdtempSync(fixture('serve-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('railyard serve starts checkout and simulator, makes sessions, and ends when it is asked to', async () => {
  const connectors = ['pix', 'card'].flatMap((name) => ['--connector', folderOf(`packages/connector-${name}`)]);
  const child = startCli(['serve', '--port', '0', '--json', ...connectors]);
  let said = '';
  let complained = '';
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString('utf8')));
  const started = await new Promise<{
    checkout: string;
    simulator: string;
    merchant: { key: string; password: string };
    sessions: { method: string; url?: string; problem?: string }[];
  }>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (said.trimEnd().endsWith('}')) resolve(JSON.parse(said));
    });
    child.once('close', () => reject(new Error(complained)));
  });
  const session = started.sessions.find(({ method }) => method === 'pix');
  // Nobody has the keys of a wallet's vendor for a trial; the other methods are served all the same.
  expect(started.sessions).toContainEqual({ method: 'apple-pay', problem: 'it needs keys of the wallet’s vendor' });
  // Two connectors of the package serve it.
  for (const key of ['card', 'card-card-adyen'])
    expect(started.sessions.find(({ method }) => method === key)).toHaveProperty('url');
  const page = await fetch(session?.url ?? '');
  expect({ status: page.status, text: await page.text() }).toMatchObject({
    status: 200,
    text: expect.stringContaining('10.00'),
  });
  const bank = await fetch(`${started.simulator}/_simulator/connectors`);
  expect(await bank.json()).toMatchObject({
    connectors: expect.arrayContaining([expect.objectContaining({ name: 'pix-instant' })]),
  });
  const { key, password } = started.merchant;
  const create = (change: object) => {
    const { order, ...request } = fixtureJson('session.json');
    const input = JSON.stringify({ ...request, order: { ...order, number: `own-${process.pid}`, ...change } });
    const where = ['--url', started.checkout, '--merchant', key];
    return runCli(['session', 'create', '-', ...where], { env: { RAILYARD_PASSWORD: password }, input });
  };
  expect(await create({ amount: '1.001' })).toMatchObject({
    code: 1,
    said: expect.stringContaining('order.amount: This value should have 2 decimals or less.'),
  });
  const created = await create({});
  expect(created).toMatchObject({ code: 0, complained: '' });
  expect((await fetch(created.said.trim())).status).toBe(200);
  const code = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  expect(await code).toBe(0);
});

test('railyard serve without a simulation says what is missing', async () => {
  const file = join(folder, 'method.mjs');
  writeFileSync(
    file,
    `import { defineMethod } from '@railyard/core';\nimport { z } from 'zod';\nexport const method = defineMethod({ key: 'm', title: 'M', operations: { purchase: { parameters: z.strictObject({}), completion: [] } } });\n`,
  );
  const { code, complained } = await runCli(['serve', '--port', '0', '--connector', file]);
  expect({ code, complained }).toEqual({
    code: 2,
    complained: expect.stringContaining('None of the connectors has a simulation.'),
  });
});
