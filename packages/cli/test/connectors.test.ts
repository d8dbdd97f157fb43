import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { findConnectors } from '../src/connectors/find-connectors.ts';
import { jsonInPipe, runInPipe } from './support/memory-io.ts';
import { folderOf } from './support/run-cli.ts';

// Below the repository, so that what is written here finds the library of connectors.
const home = mkdtempSync(folderOf('packages/cli/test/fixtures/made-'));
afterAll(() => rmSync(home, { recursive: true }));

function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(home, 'project-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const methodModule = (key: string, title = 'Sample') => `import { defineMethod } from '@railyard/core';
import { z } from 'zod';
export const method = defineMethod({ key: '${key}', title: '${title}', operations: { purchase: { parameters: z.strictObject({}), completion: [] } } });
`;

async function keysIn(cwd: string, ...args: string[]): Promise<string[]> {
  const { answer } = await jsonInPipe(['methods', ...args], { cwd });
  return answer.methods.map(({ key }: { key: string }) => key);
}

const mobileMoneyKeys = [
  'mobile-money',
  'mobile-money-bj-a',
  'mobile-money-bj-b',
  'mobile-money-gsma',
  'mobile-money-otp',
  'mobile-money-paystack',
  'mobile-money-tg-a',
  'mobile-money-tg-b',
  'mobile-money-ug',
];
const pixKeys = ['pix-charge', 'pix-collection', 'pix', 'pix-document', 'pix-personal'];

describe('connectors are found', () => {
  test('in a configuration; what plays their providers is found in the installed packages', async () => {
    const cwd = project({
      'railyard.config.mjs': `import { instantConnector } from '@railyard/connector-pix';\nexport default { connectors: [instantConnector] };`,
    });
    const { connectors } = await findConnectors({ values: {}, positionals: [] }, cwd);
    expect(connectors.map(({ connector, simulation }) => [connector.id, simulation === undefined])).toEqual([
      ['pix-instant', false],
    ]);
  });

  test('by name: a file, a folder, an installed package, several at once', async () => {
    const cwd = project({ 'mine.mjs': methodModule('mine') });
    expect(await keysIn(cwd, '--connector', 'mine.mjs')).toEqual(['mine']);
    expect(await keysIn(cwd, '--connector', './mine.mjs', '--connector', folderOf('packages/connector-pix'))).toEqual([
      ...pixKeys,
      'mine',
    ]);
    expect(await keysIn(cwd, '--connector', '@railyard/connector-pix')).toEqual(pixKeys);
  });

  test.each(['railyard.config.mjs', 'railyard.config.ts'])('in %s', async (name) => {
    const cwd = project({
      [name]: `import { instantConnector } from '@railyard/connector-pix';\nexport default { connectors: [instantConnector] };\n`,
    });
    expect(await keysIn(cwd)).toEqual(['pix']);
  });

  test('in the package that one stands in, also below it', async () => {
    expect(await keysIn(folderOf('packages/connector-pix/src'))).toEqual(pixKeys);
  });

  test('among what is installed: ours by name, others by their keyword', async () => {
    const cwd = project({
      'package.json': '{ "name": "shop", "dependencies": { "voucher": "1.0.0", "left-pad": "1.0.0" } }',
      'node_modules/voucher/package.json':
        '{ "name": "voucher", "type": "module", "keywords": ["railyard-connector"], "exports": { "import": "./index.js" } }',
      'node_modules/voucher/index.js': methodModule('voucher'),
      'node_modules/left-pad/package.json': '{ "name": "left-pad" }',
    });
    mkdirSync(join(cwd, 'node_modules/@railyard'));
    symlinkSync(folderOf('packages/connector-pix'), join(cwd, 'node_modules/@railyard/connector-pix'));
    const ours = Object.keys(manifest.devDependencies).filter((name) => name.startsWith('@railyard/connector-'));
    const named = await keysIn(cwd, ...ours.flatMap((name) => ['--connector', name]));
    expect(named).toEqual(
      expect.arrayContaining([
        'bank-account',
        'card',
        'cash-voucher',
        'pay-later',
        'redirect',
        ...mobileMoneyKeys,
        ...pixKeys,
      ]),
    );
    expect((await keysIn(cwd)).toSorted()).toEqual([...named, 'voucher'].toSorted());
  });
});

describe('what cannot be used is said with what to do', () => {
  test.each<[string, Readonly<Record<string, string>>, string[], RegExp]>([
    [
      'two definitions of one key',
      { 'a.mjs': methodModule('same'), 'b.mjs': methodModule('same', 'Other') },
      ['--connector', 'a.mjs', '--connector', 'b.mjs'],
      /Two definitions of the method key "same"\. Import one .*They come from: a\.mjs, b\.mjs\./s,
    ],
    [
      'another contract',
      { 'a.mjs': `export const old = { id: 'old', contract: 2, settings: {}, endpoints: [], serves: [] };` },
      ['--connector', 'a.mjs'],
      /Connector old is written for contract 2; this core speaks contract 1\. Install/,
    ],
    [
      'a module that does not load',
      { 'a.mjs': `import './gone.mjs';` },
      ['--connector', 'a.mjs'],
      /a\.mjs cannot be loaded: .*gone\.mjs/,
    ],
    [
      'a module without a connector',
      { 'a.mjs': `export const a = 1;` },
      ['--connector', 'a.mjs'],
      /a\.mjs exports no connector and no method/,
    ],
    [
      'a package that is not built',
      { 'package.json': '{ "name": "connector-x", "exports": "./dist/index.js" }' },
      [],
      /connector-x has no .*dist\/index\.js\. Build it first/,
    ],
    [
      'a package that is not installed',
      {},
      ['--connector', 'connector-none'],
      /no such package is installed here\. npm install connector-none/,
    ],
    [
      'a configuration without a default',
      { 'railyard.config.mjs': 'export const a = 1;' },
      [],
      /railyard\.config\.mjs has no default export/,
    ],
  ])('%s', async (_what, files, args, expected) => {
    const { code, said, complained } = await runInPipe(['schema', 'same', ...args], { cwd: project(files) });
    expect({ code, said }).toEqual({ code: 2, said: '' });
    expect(complained).toMatch(expected);
    expect(complained).not.toMatch(/\n\s+at /);
  });
});
