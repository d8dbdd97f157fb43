import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkerOffences, readTarball } from '../release/src/tarball-offences.ts';
import { listing, pack, scratch } from './support/pack.ts';
import { published } from './support/workspace.ts';

let home: string;

beforeAll(() => {
  home = scratch('publish');
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe.each(published())('$folder', ({ folder, manifest }) => {
  let tarball: string;

  beforeAll(() => {
    tarball = pack(folder, home);
  });

  test('packs its build, README and license, and neither sources nor tests', () => {
    const paths = listing(tarball);
    expect(paths).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'dist/index.js']));
    expect(
      paths.filter(
        (path) =>
          !/^(dist\/|package\.json|README\.md|LICENSE|CHANGELOG\.md|CONTRACT\.md|openapi\.json|postman\.json$)/.test(
            path,
          ),
      ),
    ).toEqual([]);
  });

  test('publishes ranges and entries, and nothing that only this repository uses', () => {
    const packed = readTarball(tarball).manifest;
    // The template's versions are those that create-connector itself is developed with.
    const kept = folder === 'packages/create-connector' ? Object.keys(manifest.devDependencies) : [];
    expect(packed.scripts).toEqual({});
    expect(Object.keys(packed.devDependencies)).toEqual(kept);
    expect(JSON.stringify(packed.exports)).not.toContain('src/');
    expect(Object.keys(packed.exports)).toEqual(Object.keys(manifest.exports));
    const ranges = Object.values({ ...packed.dependencies, ...packed.peerDependencies });
    expect(ranges.filter((range) => !/^(\^|>=)/.test(range))).toEqual([]);
    expect(packed.keywords).toContain('railyard');
  });

  test('satisfies publint, strictly, and resolves with its types for every ESM importer', () => {
    expect(checkerOffences({ tarball, manifest }, home)).toEqual([]);
  });
});
