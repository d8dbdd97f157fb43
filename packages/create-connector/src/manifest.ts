import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BadUse, type Names } from './names.ts';

/** Ranges by package name, and what npm is to use in place of the registry's copies. */
export interface Versions {
  readonly ranges: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, string>>;
}

/** The packages that the written package needs; the first two come with it into a deployment, as peers. */
const PEERS = ['@railyard/core', 'zod'];
const TOOLS = ['@changesets/cli', '@railyard/conformance', '@types/node', 'tsup', 'typescript', 'vitest'];

/** The manifest of a written package. */
export function manifestOf({ package: name, provider, repository }: Names, { ranges, overrides }: Versions): object {
  const entry = (file: string) => ({ types: `./dist/${file}.d.ts`, import: `./dist/${file}.js` });
  const needed = [...PEERS, ...TOOLS].toSorted().map((each) => [each, rangeOf(each, ranges, overrides)]);
  return {
    name,
    version: '0.0.0',
    description: `${provider} for Railyard.`,
    keywords: ['railyard-connector'],
    license: 'MIT',
    ...(repository !== undefined && { repository: { type: 'git', url: repository } }),
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22.19' },
    files: ['dist', 'CHANGELOG.md'],
    exports: {
      '.': entry('index'),
      './methods': entry('methods'),
      './simulation': entry('simulation'),
      './package.json': './package.json',
    },
    scripts: {
      build: 'tsup',
      typecheck: 'tsc',
      test: 'vitest run',
      readme: 'vitest run test/readme.test.ts --update',
      check: 'npm run build && npm run typecheck && npm test',
      prepack: 'npm run build',
    },
    peerDependencies: Object.fromEntries(PEERS.map((each) => [each, caret(rangeOf(each, ranges, {}))])),
    devDependencies: Object.fromEntries(needed),
    ...(Object.keys(overrides).length > 0 && { overrides }),
  };
}

function rangeOf(name: string, ranges: Versions['ranges'], overrides: Versions['overrides']): string {
  const range = overrides[name] ?? ranges[name];
  if (range === undefined || /^(catalog|workspace):/.test(range))
    throw new BadUse(
      `This copy of create-connector comes from a clone, which names no version of ${name}. Pack the clone, and begin from the packed files:

  npm run release:dry -- --out ../tarballs
  npx --package ../tarballs/railyard-create-connector-*.tgz create-connector my-connector --tarballs ../tarballs`,
    );
  return range;
}

const caret = (range: string): string => (/^\d/.test(range) ? `^${range}` : range);

/** The ranges that this package was released with. */
export async function releasedVersions(): Promise<Versions['ranges']> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  return stringsIn(JSON.parse(text), 'devDependencies');
}

/** No other package brings them: an author installs their tarballs, and npm takes no override of what is asked for by itself. */
const BY_THEMSELVES: ReadonlySet<string> = new Set(['checkout', 'cli']);

/** Packed packages of a folder, by name: for work without a registry. */
export async function packedIn(folder: string): Promise<Versions['overrides']> {
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.tgz'));
  // npm packs @railyard/core 1.2.3 as railyard-core-1.2.3.tgz.
  const found = files.flatMap((file) => {
    const name = /^railyard-([a-z]+(?:-[a-z]+)*)-\d+\.\d+\.\d[^ ]*\.tgz$/.exec(file)?.[1];
    return name === undefined || BY_THEMSELVES.has(name)
      ? []
      : [[`@railyard/${name}`, `file:${resolve(join(folder, file))}`] as const];
  });
  if (found.length === 0) throw new BadUse(`${folder} has no packed package (railyard-core-1.0.0.tgz, for example).`);
  return Object.fromEntries(found);
}

function stringsIn(value: unknown, key: string): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  const inner: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  const entries = typeof inner === 'object' && inner !== null ? Object.entries(inner) : [];
  return Object.fromEntries(
    entries.flatMap(([name, each]: [string, unknown]) => (typeof each === 'string' ? [[name, each]] : [])),
  );
}
