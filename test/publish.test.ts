import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listing, pack, scratch } from './support/pack.ts';
import { packages, root } from './support/workspace.ts';

let home: string;

beforeAll(() => {
  home = scratch('publish');
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** What a checker says of a tarball; empty when it is content. */
function complaints(tool: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', tool), args, {
    cwd: home,
    encoding: 'utf8',
  });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

const publint = (tarball: string): string => complaints('publint', ['run', tarball, '--strict']);
const attw = (tarball: string): string => complaints('attw', [tarball, '--profile', 'esm-only', '--no-emoji']);

describe.each(packages().filter(({ manifest }) => manifest.private !== true))('$folder', ({ folder }) => {
  let tarball: string;

  beforeAll(() => {
    tarball = pack(folder, home);
  });

  test('packs its build, README and license, and neither sources nor tests', () => {
    const paths = listing(tarball);
    expect(paths).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'dist/index.js']));
    expect(paths.filter((path) => !/^(dist\/|package\.json|README\.md|LICENSE|CHANGELOG\.md)/.test(path))).toEqual([]);
  });

  test('satisfies publint, strictly', () => {
    expect(publint(tarball)).toBe('');
  });

  test('resolves with its types for every ESM importer', () => {
    expect(attw(tarball)).toBe('');
  });
});

describe('a package whose types come after its code and speak of another module system', () => {
  let tarball: string;

  beforeAll(() => {
    const folder = join(home, 'bad');
    mkdirSync(join(folder, 'dist'), { recursive: true });
    writeFileSync(join(folder, 'dist/index.js'), 'export const a = 1;\n');
    writeFileSync(join(folder, 'dist/index.d.cts'), 'export declare const a = 1;\n');
    const exported = { import: './dist/index.js', types: './dist/index.d.cts' };
    const manifest = { name: 'bad', version: '1.0.0', type: 'module', files: ['dist'], exports: { '.': exported } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const { status } = spawnSync('pnpm', ['pack', '--pack-destination', home], { cwd: folder });
    expect(status).toBe(0);
    tarball = join(home, 'bad-1.0.0.tgz');
  });

  test('is refused by publint', () => {
    expect(publint(tarball)).toContain('should be the first in the object');
  });

  test('is refused by attw', () => {
    expect(attw(tarball)).toContain('Masquerading as CJS');
  });
});
