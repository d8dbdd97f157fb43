import { expect, test } from 'vitest';
import { floorOffences } from './gates/floors.ts';
import { samplePackage } from './support/sample.ts';
import { isCode, isTest, packages, textFiles } from './support/workspace.ts';

const zodPeer = { peerDependencies: { zod: '^4.6.0', '@railyard/core': 'workspace:^' } };

function offences(name: string, text: string, spoil: Record<string, unknown> = {}): string[] {
  const path = `packages/${name}/src/index.ts`;
  return floorOffences([samplePackage(name, spoil)], [{ path, text }]).map((line) => line.replace(`${path}: `, ''));
}

test('every package imports only from the floors below it', () => {
  const sources = textFiles((path) => /^packages\/[^/]+\/src\//.test(path) && isCode(path) && !isTest(path));
  expect(sources.length).toBeGreaterThan(0);
  expect(floorOffences(packages(), sources)).toEqual([]);
});

test.each([
  ['core', `import { run } from '@railyard/runtime';`, 'may not import @railyard/runtime'],
  ['core', `export * from '@railyard/runtime';`, 'may not import @railyard/runtime'],
  ['core', `await import('@railyard/runtime');`, 'may not import @railyard/runtime'],
  ['core', `type A = import('@railyard/runtime').A;`, 'may not import @railyard/runtime'],
  ['core', `import { x } from '../../runtime/src/x.ts';`, 'leaves its package with ../../runtime/src/x.ts'],
  ['core', `import { x } from './x.js';`, 'imports ./x.js without its extension'],
  ['core', `import { readFile } from 'node:fs';`, 'imports node:fs, but runs in a browser too'],
  ['core', `import fs = require('fs');`, 'imports fs, but runs in a browser too'],
  ['core', `import ky from 'ky';`, 'imports ky, which is no dependency of the package'],
  ['connector-pix', `import { run } from '@railyard/runtime';`, 'may not import @railyard/runtime'],
  ['connector-pix', `import { card } from '@railyard/connector-card';`, 'may not import @railyard/connector-card'],
  ['connector-pix', `const name = 'x'; await import(name);`, 'imports a computed name'],
  ['checkout', `const name = 'x'; await import(name);`, 'imports a computed name'],
  ['checkout', `import { pix } from '@railyard/connector-pix';`, 'may not import @railyard/connector-pix'],
  ['checkout', `await import('@railyard/connector-pix');`, 'may not import @railyard/connector-pix'],
  ['core', `import type { Run } from '@railyard/runtime';`, 'may not import @railyard/runtime'],
  ['cli', `import { drive, type Run } from '@railyard/runtime';`, 'may not import @railyard/runtime'],
  ['cli', `import { serve } from '@railyard/checkout';`, 'may not import @railyard/checkout'],
])('%s refuses %s', (name, text, offence) => {
  expect(offences(name, text)).toEqual([offence]);
});

test('only the folder of a connector that services load uses the platform’s cryptography, and nothing else imports it', () => {
  const at = (path: string, text: string) =>
    floorOffences([samplePackage('connector-card')], [{ path: `packages/connector-card/src/${path}`, text }]);
  expect(at('wallet-tokens/bytes.ts', `import { createHash } from 'node:crypto';`)).toEqual([]);
  expect(at('wallet-tokens.ts', `export * from './wallet-tokens/bytes.ts';`)).toEqual([]);
  expect(at('wallet-tokens/bytes.ts', `import { readFile } from 'node:fs';`)).toHaveLength(1);
  expect(at('acquirer.ts', `import { createHash } from 'node:crypto';`)).toHaveLength(1);
  expect(at('index.ts', `export * from './wallet-tokens.ts';`)).toEqual([
    'packages/connector-card/src/index.ts: imports ./wallet-tokens.ts, which only services load, into what runs in a browser too',
  ]);
});

test('core refuses a library that it declares but that is not on its list', () => {
  expect(offences('core', `import ky from 'ky';`, { dependencies: { ky: 'catalog:' } })).toEqual(['may not import ky']);
});

test('a package that is built into another one is not installed with it as well', () => {
  const from = (spoil: Record<string, unknown>) => offences('checkout', `import { sql } from 'kysely';`, spoil);
  const offence = 'imports kysely, which is built in and belongs to the development dependencies alone';
  expect(from({ devDependencies: { kysely: 'catalog:' } })).toEqual([]);
  expect(from({ devDependencies: { kysely: 'catalog:' }, dependencies: { kysely: 'catalog:' } })).toEqual([offence]);
  expect(from({})).toEqual([offence]);
});

test('a package refuses a dependency on a higher floor', () => {
  expect(offences('runtime', '', { dependencies: { '@railyard/checkout': 'workspace:^' } })).toEqual([
    'packages/runtime/package.json: may not depend on @railyard/checkout',
  ]);
});

test('a package that is not in the table is refused', () => {
  expect(offences('helpers', '')).toEqual(['packages/helpers: is not in the table of floors']);
});

test.each([
  [
    'connector-pix',
    `import { z } from 'zod';\nimport { a } from '@railyard/core';\nimport { b } from './b.ts';`,
    zodPeer,
  ],
  [
    'connector-wallet',
    `import { card } from '@railyard/connector-card/methods';`,
    { dependencies: { '@railyard/connector-card': 'workspace:^' } },
  ],
  ['cli', `import type { Run } from '@railyard/runtime';`, { dependencies: { '@railyard/runtime': 'workspace:^' } }],
  ['cli', `await import('@railyard/checkout');`, { dependencies: { '@railyard/checkout': 'workspace:^' } }],
  ['runtime', `import { readFile } from 'node:fs/promises';`, {}],
])('%s accepts %s', (name, text, spoil) => {
  expect(offences(name, text, spoil)).toEqual([]);
});
