import { execFileSync } from 'node:child_process';
import { builtInto } from '../../test/gates/floors.ts';
import { listing } from '../../test/support/pack.ts';
import { type Manifest, parseManifest } from '../../test/support/workspace.ts';
import { attempt, bin } from './run.ts';

/** Files of a published package beside its build, each of them once. */
const FILES = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];

/** Pages that a package has besides. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  '@railyard/core': ['CONTRACT.md', 'openapi.json', 'postman.json'],
};

/** A package as it was packed. */
export interface Packed {
  readonly tarball: string;
  readonly manifest: Manifest;
  /** Paths without the leading `package/`. */
  readonly paths: readonly string[];
}

export function readTarball(tarball: string): Packed {
  const text = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' });
  return { tarball, manifest: parseManifest(text), paths: listing(tarball) };
}

/** Offences in the content of a package that is about to be published, one line each. */
export function contentOffences({ manifest, paths }: Pick<Packed, 'manifest' | 'paths'>): string[] {
  const missing = FILES.filter((file) => !paths.includes(file)).map((file) => `has no ${file}`);
  // A library that is built in comes with its license.
  const licenses = builtInto(manifest.name).map((name) => `dist/LICENSE-${name.replace('@', '').replace('/', '-')}`);
  const allowed = [...FILES, ...(PAGES[manifest.name] ?? [])];
  const strange = paths.filter((path) => !allowed.includes(path) && !path.startsWith('dist/'));
  const { dependencies, peerDependencies, optionalDependencies } = manifest;
  const ranges = Object.entries({ ...dependencies, ...peerDependencies, ...optionalDependencies });
  return [
    ...missing,
    ...licenses.filter((file) => !paths.includes(file)).map((file) => `has no ${file}`),
    ...strange.map((path) => `holds ${path}, which is neither its build nor one of ${FILES.join(', ')}`),
    ...(paths.includes('dist/index.js') ? [] : ['has no dist/index.js']),
    ...(paths.includes('dist/index.d.ts') ? [] : ['has no types: dist/index.d.ts']),
    ...(manifest.type === 'module' ? [] : ['is no ES module: "type" is not module']),
    ...(manifest.sideEffects === false ? [] : ['does not say "sideEffects": false']),
    ...ranges
      .filter(([, range]) => /^(workspace|catalog|file|link):/.test(range))
      .map(([name, range]) => `asks for ${name} as ${range}, which only this repository understands`),
    ...ranges
      .filter(([, range]) => /^\d/.test(range))
      .map(([name, range]) => `asks for exactly ${name} ${range}; give a range, so that a project has one copy of it`),
    ...(/\bconnector-/.test(manifest.name) && !manifest.keywords.includes('railyard-connector')
      ? ['has no keyword railyard-connector, by which connectors are found']
      : []),
  ].map((text) => `${manifest.name}: ${text}`);
}

/** Messages of publint and attw about a tarball, with the package's name; empty where both are content. */
export function checkerOffences({ tarball, manifest }: Pick<Packed, 'tarball' | 'manifest'>, cwd: string): string[] {
  const said = {
    publint: attempt(bin('publint'), ['run', tarball, '--strict'], cwd),
    attw: attempt(
      bin('attw'),
      [tarball, '--profile', 'esm-only', '--no-emoji', '--no-color', '--format', 'ascii'],
      cwd,
    ),
  };
  return Object.entries(said)
    .filter(([, { ok }]) => !ok)
    .map(([checker, { text }]) => {
      const lines = text.split('\n').filter((line) => line.trim() !== '' && !ASIDE.test(line));
      return [`${manifest.name}: ${checker} refuses it:`, ...lines].join('\n    ');
    });
}

/** The preamble of publint, and attw's lines about importers that are not served. */
const ASIDE = /^(Running publint|Unpacking tarball|Linting|Errors:$|\*+$)|\(?ignor(ed|ing)\b/;
