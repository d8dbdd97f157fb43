import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { importsOf, packageOf, type Import } from '../support/imports.ts';
import type { Manifest, Package, TextFile } from '../support/workspace.ts';

const SCOPE = '@railyard/';
const CONNECTOR = 'connector-*';

interface Floor {
  /** Packages of ours that `src` may import. */
  readonly imports: readonly string[];
  /** Packages of ours that `src` may import when a command needs them, and whose types it may name. */
  readonly lazily?: readonly string[];
  /** Pure floors run in a browser too: nothing of Node. */
  readonly pure?: true;
  /** A folder of a pure floor that only services load, by an entry of its own, and the modules of Node that it may use. */
  readonly service?: { readonly folder: string; readonly builtins: readonly string[] };
  /** The only packages of others that `src` may import. */
  readonly others?: readonly string[];
  /** Packages of others that are built into its `dist`: development dependencies, so that they are not installed as well. */
  readonly builtIn?: readonly string[];
}

const WALLET_TOKENS = { folder: 'wallet-tokens', builtins: ['node:crypto'] } as const;

const CONNECTORS: Floor = {
  imports: ['core', 'identifiers', `${CONNECTOR}/methods`],
  pure: true,
  service: WALLET_TOKENS,
};

/** The floors: who may import whom. A package that is not in this table may not exist. */
const FLOORS: ReadonlyMap<string, Floor> = new Map<string, Floor>([
  ['core', { imports: [], pure: true, others: ['zod', '@noble/hashes'] }],
  ['identifiers', { imports: [], pure: true }],
  ['runtime', { imports: ['core'] }],
  [CONNECTOR, CONNECTORS],
  ['connector-crypto', { ...CONNECTORS, builtIn: ['@noble/hashes', '@scure/base'] }],
  ['client', { imports: ['core'], pure: true }],
  ['hosted-fields', { imports: [] }],
  ['simulator', { imports: ['core', 'runtime'] }],
  ['conformance', { imports: ['core', 'runtime', 'simulator'] }],
  ['ticket', { imports: [] }],
  ['checkout', { imports: ['core', 'runtime'], lazily: ['ticket'], builtIn: ['kysely'] }],
  ['cli', { imports: ['core', 'identifiers'], lazily: ['runtime', 'simulator', 'conformance', 'checkout', CONNECTOR] }],
  ['create-connector', { imports: [] }],
]);

const BUILTIN = new Set(builtinModules);

/** Configurations and connectors are named on the command line, so only what loads them may import a computed name. */
const CONFIG_LOADERS = new Set([
  'packages/checkout/src/commands/command.ts',
  'packages/cli/src/connectors/load-module.ts',
]);

/** Libraries of others that are built into a published package. */
export const builtInto = (name: string): readonly string[] => floorOf(name.slice(SCOPE.length))?.builtIn ?? [];

/** What breaks the order of the floors: one line per offence, empty when all is well. */
export function floorOffences(packages: readonly Package[], sources: readonly TextFile[]): string[] {
  return packages.flatMap((one) => {
    const name = one.folder.replace(/^packages\//, '');
    const floor = floorOf(name);
    if (floor === undefined) return [`${one.folder}: is not in the table of floors`];
    const own = sources.filter((file) => file.path.startsWith(`${one.folder}/src/`));
    return [
      ...manifestOffences(one, floor),
      ...own.flatMap((file) => importsOf(file.path, file.text).flatMap((found) => offence(found, file, one, floor))),
    ];
  });
}

function floorOf(name: string): Floor | undefined {
  return FLOORS.get(name) ?? FLOORS.get(kind(name));
}

function kind(name: string): string {
  return name.startsWith('connector-') ? CONNECTOR : name;
}

function offence(found: Import, file: TextFile, one: Package, floor: Floor): string[] {
  const at = (text: string): string[] => [`${file.path}: ${text}`];
  const { specifier } = found;
  if (specifier === undefined) return CONFIG_LOADERS.has(file.path) ? [] : at('imports a computed name');
  if (specifier.startsWith('.')) return relativeOffence(specifier, file, one, floor).flatMap(at);
  if (specifier.startsWith('node:') || BUILTIN.has(specifier)) {
    // A provider that signs is simulated where the simulator runs, which is no browser.
    if (specifier === 'node:crypto' && file.path.endsWith('.simulation.ts')) return [];
    if (isOfService(file.path, one, floor) && floor.service?.builtins.includes(specifier) === true) return [];
    return floor.pure === true ? at(`imports ${specifier}, but runs in a browser too`) : [];
  }
  const target = packageOf(specifier);
  if (target === undefined) return at(`imports ${specifier} by an absolute path`);
  if (target === one.manifest.name) return at(`imports its own package by name`);
  if (target.startsWith(SCOPE)) return internalOffence(specifier, found, one, floor).flatMap(at);
  if (floor.builtIn?.includes(target) === true)
    return target in one.manifest.devDependencies && !isDeclared(target, one.manifest)
      ? []
      : at(`imports ${target}, which is built in and belongs to the development dependencies alone`);
  if (!isDeclared(target, one.manifest)) return at(`imports ${target}, which is no dependency of the package`);
  return floor.others === undefined || floor.others.includes(target) ? [] : at(`may not import ${target}`);
}

/** Whether a file is in the folder that only services load, or is its entry. */
function isOfService(path: string, one: Package, { service }: Floor): boolean {
  const folder = `${one.folder}/src/${service?.folder}`;
  return service !== undefined && (path === `${folder}.ts` || path.startsWith(`${folder}/`));
}

function relativeOffence(specifier: string, file: TextFile, one: Package, floor: Floor): string[] {
  const target = posix.join(posix.dirname(file.path), specifier);
  if (isOfService(target, one, floor) && !isOfService(file.path, one, floor))
    return [`imports ${specifier}, which only services load, into what runs in a browser too`];
  if (!target.startsWith(`${one.folder}/`)) return [`leaves its package with ${specifier}`];
  // A browser's script is served as it is, also to the server's own code that shares a rule with it.
  const isScript = /\/(assets|browser)\/[^/]+\.js$/.test(target);
  return isScript || /\.(ts|json|css)$/.test(specifier) ? [] : [`imports ${specifier} without its extension`];
}

function internalOffence(specifier: string, found: Import, one: Package, floor: Floor): string[] {
  const costsNothing = found.dynamic || found.typeOnly;
  const allowed = [...floor.imports, ...(costsNothing ? (floor.lazily ?? []) : [])];
  const [name = '', ...entry] = specifier.slice(SCOPE.length).split('/');
  const wanted = [kind(name), `${kind(name)}/${entry.join('/')}`];
  if (!allowed.some((entryName) => wanted.includes(entryName))) return [`may not import ${specifier}`];
  const { dependencies, peerDependencies, devDependencies } = one.manifest;
  // A development dependency that src imports is bundled into dist; the tarball gate proves it.
  const declared = { ...dependencies, ...peerDependencies, ...devDependencies };
  return `${SCOPE}${name}` in declared ? [] : [`imports ${specifier}, which is no dependency of the package`];
}

function isDeclared(target: string, { dependencies, peerDependencies }: Manifest): boolean {
  return target in dependencies || target in peerDependencies;
}

function manifestOffences(one: Package, floor: Floor): string[] {
  const { dependencies, peerDependencies, optionalDependencies } = one.manifest;
  const allowed = [...floor.imports, ...(floor.lazily ?? [])].map((name) => name.split('/')[0] ?? name);
  return Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })
    .filter((name) => name.startsWith(SCOPE) && !allowed.includes(kind(name.slice(SCOPE.length))))
    .map((name) => `${one.folder}/package.json: may not depend on ${name}`);
}
