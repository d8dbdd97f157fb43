import { expect, test } from 'vitest';
import { samplePackage } from '../../test/support/sample.ts';
import { contentOffences } from '../src/tarball-offences.ts';

const paths = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'dist/index.js',
  'dist/index.d.ts',
  'dist/chunk-A.js',
];
const offences = (spoil: Record<string, unknown>, given: readonly string[] = paths) =>
  contentOffences({ manifest: samplePackage('runtime', spoil).manifest, paths: given });
const without = (path: string) => paths.filter((each) => each !== path);

test('a package with its build, README, license and changelog is in order', () => {
  expect(offences({ dependencies: { '@railyard/core': '^1.0.0' } })).toEqual([]);
});

test('a package brings the license of a library that is built into it', () => {
  const { manifest } = samplePackage('checkout', {});
  expect(contentOffences({ manifest, paths })).toEqual(['@railyard/checkout: has no dist/LICENSE-kysely']);
  expect(contentOffences({ manifest, paths: [...paths, 'dist/LICENSE-kysely'] })).toEqual([]);
});

test.each<[string, Record<string, unknown>, readonly string[], string]>([
  ['without a README', {}, without('README.md'), 'has no README.md'],
  ['without a license', {}, without('LICENSE'), 'has no LICENSE'],
  ['without a changelog', {}, without('CHANGELOG.md'), 'has no CHANGELOG.md'],
  ['that was not built', {}, without('dist/index.js'), 'has no dist/index.js'],
  ['without types', {}, without('dist/index.d.ts'), 'has no types: dist/index.d.ts'],
  [
    'with its sources',
    {},
    [...paths, 'src/index.ts'],
    'holds src/index.ts, which is neither its build nor one of package.json, README.md, LICENSE, CHANGELOG.md',
  ],
  ['of another module system', { type: 'commonjs' }, paths, 'is no ES module: "type" is not module'],
  ['whose loading does something', { sideEffects: true }, paths, 'does not say "sideEffects": false'],
  [
    'that asks for a workspace',
    { peerDependencies: { '@railyard/core': 'workspace:^' } },
    paths,
    'asks for @railyard/core as workspace:^, which only this repository understands',
  ],
])('a package %s is refused', (_what, spoil, given, offence) => {
  expect(offences(spoil, given)).toEqual([`@railyard/runtime: ${offence}`]);
});
