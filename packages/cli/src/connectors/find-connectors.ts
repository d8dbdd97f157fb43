import type { Connector, Method } from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type Given, listOf, type OptionSpec, textOf, UsageError } from '../commands/command.ts';
import { type Exported, exportedBy, simulationOf } from './exported.ts';
import { loadModule } from './load-module.ts';
import {
  builtEntry,
  entriesOf,
  entryFile,
  foldersAbove,
  installedPackage,
  type Package,
  packageIn,
} from './package-entry.ts';

/** A connector, where it comes from, and what plays its provider. */
export interface FoundConnector {
  readonly connector: Connector;
  readonly simulation: Simulation | undefined;
}

/** The connectors, methods and simulations that the commands work with. */
export interface Found {
  readonly connectors: readonly FoundConnector[];
  /** The methods of the connectors, and methods exported beside them; each once. */
  readonly methods: readonly Method[];
  /** The default export of the configuration, if one was read. */
  readonly config: Readonly<Record<string, unknown>> | undefined;
  /** In words: files and packages. */
  readonly from: readonly string[];
  /** Folders whose files make the connectors, for those who wait for changes. */
  readonly folders: readonly string[];
}

/** Options of every command that works with connectors. */
export const CONNECTOR_OPTIONS = {
  connector: { type: 'string', multiple: true, hint: 'PATH|PACKAGE', says: 'a connector: file, folder or package' },
  config: { type: 'string', hint: 'FILE', says: 'the configuration; default: railyard.config.{mjs,js,ts}' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export const CONFIG_NAMES = ['railyard.config.mjs', 'railyard.config.js', 'railyard.config.ts'] as const;

/** A name that says it is a connector, or the keyword. */
const NAME = /(^|\/)connector-[^/]+$/;
const KEYWORD = 'railyard-connector';
const OURS = '@railyard';

interface Loaded extends Exported {
  readonly from: string;
  readonly folder: string;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Finds connectors: those that are named; else those of the configuration in this folder; else that of this package; else those that are
 * installed. A configuration is also read beside named connectors, because it has the accounts.
 *
 * @throws UsageError that says where it looked and what to do
 */
export async function findConnectors(given: Given, cwd: string): Promise<Found> {
  const named = await Promise.all(listOf(given, 'connector').map((each) => loadNamed(each, cwd)));
  const config = await loadConfig(textOf(given, 'config'), cwd);
  const loaded = named.length > 0 ? named : config === undefined ? await loadAround(cwd) : [config];
  const simulated = named.length === 0 && config !== undefined ? await installedSimulations(cwd) : [];
  const found = together(loaded, config?.config, simulated);
  if (found.connectors.length > 0 || found.methods.length > 0) return found;
  throw new UsageError(
    named.length === 0 && config !== undefined
      ? `${config.from} names no connector. Its list "connectors" has those that are used.`
      : loaded.length > 0
        ? `${found.from.join(', ')} exports no connector and no method. Export the value that defineConnector gives.`
        : 'No connector was found. Name one with --connector (a file, a folder or a package), write a railyard.config.mjs, or install one: npm install @railyard/connector-pix',
  );
}

function together(loaded: readonly Loaded[], config: Found['config'], more: readonly Simulation[]): Found {
  const simulations = [...loaded.flatMap((each) => each.simulations), ...more];
  const connectors = [...new Set(loaded.flatMap((each) => each.connectors))];
  const served = connectors.flatMap((each) => each.serves.map(({ method }) => method));
  return {
    connectors: connectors.map((connector) => ({ connector, simulation: simulationOf(connector, simulations) })),
    methods: [...new Set([...served, ...loaded.flatMap((each) => each.methods)])],
    config,
    from: loaded.map((each) => each.from),
    folders: [...new Set(loaded.map((each) => each.folder))],
  };
}

/** The named configuration, or the configuration in this folder. */
async function loadConfig(given: string | undefined, cwd: string): Promise<Loaded | undefined> {
  const names = given === undefined ? CONFIG_NAMES.filter((name) => existsSync(join(cwd, name))) : [given];
  const [name] = names;
  if (name === undefined) return undefined;
  const file = resolve(cwd, name);
  const module = await loadModule(file);
  const config = module['default'];
  if (typeof config !== 'object' || config === null)
    throw new UsageError(`${name} has no default export. Export the configuration as default: { connectors: [ … ] }`);
  return { ...exportedBy(module), from: name, folder: dirname(file), config: { ...config } };
}

async function loadNamed(name: string, cwd: string): Promise<Loaded> {
  const path = resolve(cwd, name);
  if (existsSync(path) && (await stat(path)).isFile())
    return { ...exportedBy(await loadModule(path)), from: name, folder: dirname(path) };
  const looksLikePath = name.startsWith('.') || isAbsolute(name);
  const one = existsSync(path) ? await packageIn(path) : looksLikePath ? undefined : await installedPackage(name, cwd);
  if (one !== undefined) return loadPackage(one);
  throw new UsageError(
    looksLikePath || existsSync(path)
      ? `--connector ${name}: there is no such file, and no package in such a folder.`
      : `--connector ${name}: there is no such file, and no such package is installed here. npm install ${name}`,
  );
}

/** A configuration names connectors and not what plays their providers: that is in the packages beside it. */
async function installedSimulations(cwd: string): Promise<Simulation[]> {
  const home = foldersAbove(cwd).find((folder) => existsSync(join(folder, 'package.json')));
  const own = home === undefined ? undefined : await packageIn(home);
  const packages = await installedConnectors(cwd, own);
  const files = packages.flatMap((each) => simulationEntry(each) ?? []);
  return (await Promise.all(files.map(loadModule))).flatMap((module) => exportedBy(module).simulations);
}

const simulationEntry = (one: Package): string | undefined =>
  entriesOf(one).includes('./simulation') ? builtEntry(one, './simulation') : undefined;

/** The package in whose folder we stand, if it is a connector; else those installed. */
async function loadAround(cwd: string): Promise<Loaded[]> {
  const home = foldersAbove(cwd).find((folder) => existsSync(join(folder, 'package.json')));
  const own = home === undefined ? undefined : await packageIn(home);
  if (own !== undefined && isConnectorPackage(own)) return [await loadPackage(own)];
  return Promise.all((await installedConnectors(cwd, own)).map(loadPackage));
}

function isConnectorPackage({ manifest: { name, keywords } }: Package): boolean {
  return NAME.test(name) || keywords.includes(KEYWORD);
}

/** All `@railyard/connector-*` packages, and dependencies of this package that say that they are connectors. */
async function installedConnectors(cwd: string, own: Package | undefined): Promise<Package[]> {
  const ours = await Promise.all(
    foldersAbove(cwd).map((folder) => readdir(join(folder, 'node_modules', OURS)).catch(() => [])),
  );
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = own?.manifest ?? {};
  const declared = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies });
  const names = new Set([
    ...ours
      .flat()
      .map((name) => `${OURS}/${name}`)
      .filter((name) => NAME.test(name)),
    ...declared,
  ]);
  const found = await Promise.all([...names].map((name) => installedPackage(name, cwd)));
  return found.flatMap((each) => (each !== undefined && isConnectorPackage(each) ? [each] : []));
}

/** A package with what its entries export; its simulation stands in an entry of its own. */
export async function loadPackage(one: Package): Promise<Loaded> {
  const main = builtEntry(one);
  if (main === undefined) {
    const wanted = entryFile(one) ?? 'an entry "." under exports';
    throw new UsageError(`${one.manifest.name} has no ${wanted}. Build it first: npm run build`);
  }
  const simulation = simulationEntry(one);
  const files = simulation === undefined ? [main] : [main, simulation];
  const exported = (await Promise.all(files.map(loadModule))).map(exportedBy);
  return {
    connectors: exported.flatMap((each) => each.connectors),
    methods: exported.flatMap((each) => each.methods),
    simulations: exported.flatMap((each) => each.simulations),
    from: one.manifest.name,
    folder: one.folder,
  };
}
