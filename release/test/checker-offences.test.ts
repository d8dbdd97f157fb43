import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Refused } from '../src/run.ts';
import { checkTarballs } from '../src/make-release.ts';
import { readTarball } from '../src/tarball-offences.ts';

const order = { '.': { types: './dist/index.d.ts', import: './dist/index.js' } };
const files = {
  'README.md': '# Sample\n',
  LICENSE: 'MIT\n',
  'CHANGELOG.md': '# 1.0.0\n',
  'dist/index.js': 'export const a = 1;\n',
  'dist/index.d.ts': 'export declare const a = 1;\n',
  'dist/index.d.cts': 'export declare const a = 1;\n',
};

/** The refusal of a packed package with these entry points. */
function refusalOf(exports: object): string {
  const home = mkdtempSync(join(tmpdir(), 'railyard-checkers-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const manifest = { name: '@railyard/sample', version: '1.0.0', license: 'MIT', type: 'module', sideEffects: false };
  const all = { ...files, 'package.json': JSON.stringify({ ...manifest, exports }) };
  for (const [path, text] of Object.entries(all)) {
    const file = join(home, 'package', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const tarball = join(home, 'sample.tgz');
  execFileSync('tar', ['-czf', tarball, '-C', home, ...Object.keys(all).map((path) => `package/${path}`)]);
  try {
    checkTarballs([readTarball(tarball)], home);
    return '';
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.message;
  }
}

test('a release takes a package that publint and attw are content with', () => {
  expect(refusalOf(order)).toBe('');
});

test('a release refuses an entry that is not there, and both checkers name the package and the entry', () => {
  const said = refusalOf({ ...order, './gone': { types: './dist/gone.d.ts', import: './dist/gone.js' } });
  const [publint = '', attw = ''] = said.split('@railyard/sample: attw refuses it:');
  expect(publint).toBe(
    [
      'Packed packages are not in order:',
      '  @railyard/sample: publint refuses it:',
      '    1. pkg.exports["./gone"].types is ./dist/gone.d.ts but the file does not exist.',
      '    2. pkg.exports["./gone"].import is ./dist/gone.js but the file does not exist.',
      '  ',
    ].join('\n'),
  );
  expect(attw).toMatch(/"@railyard\/sample\/gone"[^]*Resolution failed/);
});

test('a release refuses types that speak of another module system', () => {
  const said = refusalOf({ '.': { types: './dist/index.d.cts', import: './dist/index.js' } });
  expect(said).toMatch(/@railyard\/sample: attw refuses it:[^]*Masquerading as CJS/);
});
