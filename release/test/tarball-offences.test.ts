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

test.each([
  ['checkout', ['dist/LICENSE-kysely']],
  ['connector-crypto', ['dist/LICENSE-noble-hashes', 'dist/LICENSE-scure-base']],
])('%s brings the license of each library that is built into it', (name, licenses) => {
  const { manifest } = samplePackage(name, { keywords: ['railyard-connector'] });
  const missing = licenses.map((file) => `@railyard/${name}: has no ${file}`);
  expect(contentOffences({ manifest, paths })).toEqual(missing);
  expect(contentOffences({ manifest, paths: [...paths, ...licenses] })).toEqual([]);
});

test('the contract on one page comes with core, and with no other package', () => {
  const given = [...paths, 'CONTRACT.md'];
  expect(contentOffences({ manifest: samplePackage('core', {}).manifest, paths: given })).toEqual([]);
  expect(offences({}, given)).toEqual([expect.stringContaining('holds CONTRACT.md')]);
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
    'that asks for one version',
    { dependencies: { pg: '8.23.1' } },
    paths,
    'asks for exactly pg 8.23.1; give a range, so that a project has one copy of it',
  ],
  [
    'that asks for a workspace',
    { peerDependencies: { '@railyard/core': 'workspace:^' } },
    paths,
    'asks for @railyard/core as workspace:^, which only this repository understands',
  ],
])('a package %s is refused', (_what, spoil, given, offence) => {
  expect(offences(spoil, given)).toEqual([`@railyard/runtime: ${offence}`]);
});

test('a connector without the keyword of connectors is refused', () => {
  const { manifest } = samplePackage('connector-pix', { keywords: ['pix'] });
  expect(contentOffences({ manifest, paths })).toEqual([
    '@railyard/connector-pix: has no keyword railyard-connector, by which connectors are found',
  ]);
});
