import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { dependencyOffences, packageOffences, type Entries } from './gates/package-shape.ts';
import { samplePackage } from './support/sample.ts';
import { packages, readManifest, root, textFiles } from './support/workspace.ts';

const config = z.object({ default: z.looseObject({ entry: z.record(z.string(), z.string()) }) });

async function entriesOf(folder: string): Promise<Entries> {
  return config.parse(await import(join(root, folder, 'tsup.config.ts'))).default.entry;
}

function catalogNames(): Set<string> {
  const text = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const block = /^catalog:\n((?: {2}.*\n)+)/m.exec(text)?.[1] ?? '';
  return new Set([...block.matchAll(/^ {2}"?([^":]+)"?:/gm)].map((match) => match[1] ?? ''));
}

test('every package has the form of a package', async () => {
  const all = packages();
  expect(all.length).toBeGreaterThan(2);
  const found = await Promise.all(
    all.map(async (one) => packageOffences(one, await entriesOf(one.folder), catalogNames())),
  );
  expect(found.flat()).toEqual([]);
});

test('no README leads to a file beside it, which the page of a package on npm does not have', () => {
  const readmes = textFiles((path) => /^packages\/[^/]+\/(template\/)?README\.md$/.test(path));
  expect(readmes.length).toBeGreaterThan(packages().length);
  const found = readmes.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:|#)([^)]*)\)/g)].map(([, target]) => `${path}: ${target}`),
  );
  expect(found).toEqual([]);
});

test('the private workspaces take their versions from the catalog', () => {
  const folders = ['.', 'demo', 'examples', 'bench', 'release', 'site'].filter((folder) =>
    existsSync(join(root, folder, 'package.json')),
  );
  const found = folders.flatMap((folder) => dependencyOffences(readManifest(folder), catalogNames()));
  expect(found).toEqual([]);
});

describe('a package is refused', () => {
  const entries = { index: 'src/index.ts' };
  const catalog = new Set(['zod', 'ky']);
  const exported = { types: './dist/index.d.ts', import: './dist/index.js' };
  const self = { './package.json': './package.json' };
  const wanted = '{"@railyard/source":"./src/index.ts","types":"./dist/index.d.ts","import":"./dist/index.js"}';

  test.each<[string, Record<string, unknown>, string]>([
    ['another name', { name: '@railyard/other' }, 'the name differs from the folder'],
    ['another license', { license: 'ISC' }, 'the license is not MIT'],
    ['no side effects statement', { sideEffects: undefined }, 'does not say whether it has side effects'],
    ['another engine', { engines: { node: '>=20' } }, 'engines.node is not >=22.19'],
    ['published sources', { files: ['dist', 'src'] }, 'publishes sources or tests'],
    ['no dist', { files: [] }, 'does not publish dist'],
    ['another build', { scripts: { build: 'tsc' } }, 'is not built by tsup'],
    ['no source condition', { exports: { '.': exported, ...self } }, `exports . must be ${wanted}`],
    [
      'the source condition last',
      { exports: { '.': { ...exported, '@railyard/source': './src/index.ts' }, ...self } },
      `exports . must be ${wanted}`,
    ],
    [
      'a file that it publishes under another name',
      { exports: { ...samplePackage('runtime').manifest.exports, './api.json': './dist/api.json' } },
      'exports ./api.json must be "./api.json"',
    ],
    ['a bare version', { dependencies: { ky: '2.1.0' } }, 'ky has the bare version 2.1.0'],
    ['a library outside of the catalog', { dependencies: { got: 'catalog:' } }, 'got is not in the catalog'],
    [
      'a pinned package of ours',
      { dependencies: { '@railyard/core': 'workspace:*' } },
      '@railyard/core must be workspace:^, not workspace:*',
    ],
    [
      'a peer that its own tests lack',
      { peerDependencies: { zod: '^4.6.0' } },
      'the peer zod is no development dependency too',
    ],
  ])('for %s', (_what, spoil, offence) => {
    expect(packageOffences(samplePackage('runtime', spoil), entries, catalog)).toContain(
      `packages/runtime: ${offence}`,
    );
  });

  test.each([
    ['connector-pix', 'zod', 'catalog:'],
    ['connector-pix', '@railyard/core', 'workspace:^'],
    ['core', 'zod', 'catalog:'],
  ])('%s for %s as its own dependency', (name, dependency, range) => {
    const one = samplePackage(name, { dependencies: { [dependency]: range } });
    expect(packageOffences(one, entries, catalog)).toEqual([
      `packages/${name}: ${dependency} must be a peer dependency`,
    ]);
  });

  test('without a README', () => {
    const one = samplePackage('runtime', {}, ['package.json']);
    expect(packageOffences(one, entries, catalog)).toEqual(['packages/runtime: has no README.md']);
  });

  test('for an entry that it does not export, and for an export that it does not build', () => {
    const one = samplePackage('runtime');
    expect(packageOffences(one, { main: 'src/main.ts' }, catalog)).toEqual([
      'packages/runtime: exports ., which the bundler does not build',
      'packages/runtime: builds main, which it neither exports nor runs',
    ]);
  });
});

test('a package in good order is accepted, with several entries and a program', () => {
  const one = samplePackage('checkout', {
    bin: { 'railyard-checkout': './dist/bin.js' },
    exports: {
      ...samplePackage('checkout').manifest.exports,
      './config': { '@railyard/source': './src/config.ts', types: './dist/config.d.ts', import: './dist/config.js' },
    },
  });
  const entries = { index: 'src/index.ts', config: 'src/config.ts', bin: 'src/bin.ts' };
  expect(packageOffences(one, entries, new Set())).toEqual([]);
});
