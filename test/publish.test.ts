import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkerOffences } from '../release/src/tarball-offences.ts';
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
    expect(paths.filter((path) => !/^(dist\/|package\.json|README\.md|LICENSE|CHANGELOG\.md)/.test(path))).toEqual([]);
  });

  test('satisfies publint, strictly, and resolves with its types for every ESM importer', () => {
    expect(checkerOffences({ tarball, manifest }, home)).toEqual([]);
  });
});
