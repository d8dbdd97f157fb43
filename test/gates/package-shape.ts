import type { Package } from '../support/workspace.ts';

const SCOPE = '@railyard/';
const SOURCE = '@railyard/source';

/** Bundler entries: the name of the built file → its source. */
export type Entries = Readonly<Record<string, string>>;

/** What is wrong with the form of one published package: one line per offence. */
export function packageOffences(one: Package, entries: Entries, catalog: ReadonlySet<string>): string[] {
  return [
    ...manifestOffences(one),
    ...exportOffences(one, entries),
    ...entryOffences(one, entries),
    ...peerOffences(one),
    ...dependencyOffences(one.manifest, catalog),
  ].map((text) => `${one.folder}: ${text}`);
}

function manifestOffences({ folder, manifest, files }: Package): string[] {
  const found: string[] = [];
  const must = (holds: boolean, text: string): void => {
    if (!holds) found.push(text);
  };
  must(manifest.name === `${SCOPE}${folder.replace('packages/', '')}`, 'the name differs from the folder');
  must(files.includes('README.md'), 'has no README.md');
  must(manifest.license === 'MIT', 'the license is not MIT');
  must(manifest.type === 'module', 'the type is not module');
  must(manifest.version !== undefined, 'has no version');
  must(manifest['description'] !== undefined, 'has no description');
  must(manifest.sideEffects !== undefined, 'does not say whether it has side effects');
  must(manifest.engines['node'] === '>=22.19', 'engines.node is not >=22.19');
  must(manifest.files.includes('dist'), 'does not publish dist');
  must(!manifest.files.some((name) => /^(src|test)\b/.test(name)), 'publishes sources or tests');
  must(manifest.scripts['build'] === 'tsup', 'is not built by tsup');
  must(manifest.exports['./package.json'] === './package.json', 'does not export its package.json');
  return found;
}

function exportOffences({ manifest }: Package, entries: Entries): string[] {
  return Object.entries(manifest.exports).flatMap(([path, target]) => {
    // A file that is published as it is.
    if (path.endsWith('.json')) return target === path ? [] : [`exports ${path} must be "${path}"`];
    const name = path === '.' ? 'index' : path.slice(2);
    const wanted = { [SOURCE]: `./${entries[name]}`, types: `./dist/${name}.d.ts`, import: `./dist/${name}.js` };
    if (!(name in entries)) return [`exports ${path}, which the bundler does not build`];
    // Compared as text, because the order of conditions decides: source first, then types, then the code.
    return JSON.stringify(target) === JSON.stringify(wanted)
      ? []
      : [`exports ${path} must be ${JSON.stringify(wanted)}`];
  });
}

function entryOffences({ manifest }: Package, entries: Entries): string[] {
  const bins = typeof manifest.bin === 'string' ? [manifest.bin] : Object.values(manifest.bin ?? {});
  const used = Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
  // A file of another package is named to keep it in a file of its own (docs/decisions/validation-and-bundle-size.md).
  return Object.entries(entries)
    .filter(([name, source]) => source.startsWith('src/') && ![...bins, ...used].includes(`./dist/${name}.js`))
    .map(([name]) => `builds ${name}, which it neither exports nor runs`);
}

/** Two copies of zod or core in one program would refuse each other's values, so the host brings them. */
function peerOffences({ folder, manifest }: Package): string[] {
  const connector = folder.startsWith('packages/connector-');
  const shared = connector ? ['zod', `${SCOPE}core`] : folder === 'packages/core' ? ['zod'] : [];
  const hidden = shared.filter((name) => name in manifest.dependencies);
  const missing = Object.keys(manifest.peerDependencies).filter((name) => !(name in manifest.devDependencies));
  return [
    ...hidden.map((name) => `${name} must be a peer dependency`),
    ...missing.map((name) => `the peer ${name} is no development dependency too`),
  ];
}

type Dependencies = Pick<Package['manifest'], 'dependencies' | 'devDependencies' | 'peerDependencies'>;

/** Versions stand in one place, the catalog; packages of ours refer to each other by caret. */
export function dependencyOffences(manifest: Dependencies, catalog: ReadonlySet<string>): string[] {
  const installed = [...Object.entries(manifest.dependencies), ...Object.entries(manifest.devDependencies)];
  const peers = Object.entries(manifest.peerDependencies);
  return [
    ...installed.flatMap(([name, range]) => rangeOffence(name, range, range === 'catalog:')),
    ...peers.flatMap(([name, range]) => rangeOffence(name, range, range === 'catalog:' || /^\^\d/.test(range))),
    ...[...installed, ...peers]
      .filter(([name]) => !name.startsWith(SCOPE) && !catalog.has(name))
      .map(([name]) => `${name} is not in the catalog`),
  ];
}

function rangeOffence(name: string, range: string, accepted: boolean): string[] {
  if (!name.startsWith(SCOPE)) return accepted ? [] : [`${name} has the bare version ${range}`];
  return range === 'workspace:^' ? [] : [`${name} must be workspace:^, not ${range}`];
}
