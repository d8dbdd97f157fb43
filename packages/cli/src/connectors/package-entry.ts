import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';

const names = z.record(z.string(), z.unknown()).catch({});

const manifestSchema = z.looseObject({
  name: z.string().catch(''),
  version: z.string().catch('0.0.0'),
  keywords: z.array(z.string()).catch([]),
  main: z.string().optional().catch(undefined),
  exports: z.unknown().optional(),
  engines: names,
  dependencies: names,
  devDependencies: names,
  peerDependencies: names,
  optionalDependencies: names,
});

export type Manifest = z.output<typeof manifestSchema>;

/** A package where it lies. */
export interface Package {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The package in a folder, or nothing where there is none or its package.json cannot be read. */
export async function packageIn(folder: string): Promise<Package | undefined> {
  try {
    const manifest = manifestSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
    return { folder, manifest };
  } catch {
    return undefined;
  }
}

/** A package as a program in `from` would find it: in the `node_modules` of the folder or of one above it. */
export async function installedPackage(name: string, from: string): Promise<Package | undefined> {
  for (const folder of foldersAbove(from)) {
    const found = await packageIn(join(folder, 'node_modules', name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The folder and those above it, the nearest first. */
export function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

/** Under which conditions a package's entries are looked up, as this process itself looks them up. */
const CONDITIONS = new Set(['node', 'import', 'module-sync', 'default', ...givenConditions()]);

function givenConditions(): string[] {
  const args = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)];
  return args.flatMap((arg, index) => {
    if (arg === '-C' || arg === '--conditions') return [args[index + 1] ?? ''];
    return arg.startsWith('--conditions=') ? [arg.slice('--conditions='.length)] : [];
  });
}

/**
 * The file of an entry: `.` or `./simulation`. Found by the rules of `exports`, because Node gives it only to modules of the package's own
 * surroundings. Patterns (`./*`) are no entries that one could list. Of several, the first that is there: a published package may still name
 * its sources.
 */
export function entryFile({ folder, manifest }: Package, entry = '.'): string | undefined {
  const { exports, main } = manifest;
  const targets = exports === undefined ? (entry === '.' ? [main ?? 'index.js'] : []) : targetsOf(exports, entry);
  const files = targets.map((target) => join(folder, target));
  return files.find(existsSync) ?? files[0];
}

/** As `entryFile`, and the file is there. */
export function builtEntry(one: Package, entry = '.'): string | undefined {
  const file = entryFile(one, entry);
  return file !== undefined && existsSync(file) ? file : undefined;
}

/** The entries that hold code. */
export function entriesOf({ manifest: { exports } }: Package): string[] {
  if (exports === undefined || !isSubpaths(exports)) return ['.'];
  return Object.keys(exports).filter((entry) => !entry.includes('*') && !entry.endsWith('.json'));
}

function targetsOf(exports: unknown, entry: string): string[] {
  if (isSubpaths(exports)) return conditional(exports[entry]);
  return entry === '.' ? conditional(exports) : [];
}

function isSubpaths(exports: unknown): exports is Readonly<Record<string, unknown>> {
  return isObject(exports) && Object.keys(exports).every((name) => name.startsWith('.'));
}

/** The targets under the conditions that hold, in the order in which the package writes them. */
function conditional(target: unknown): string[] {
  if (typeof target === 'string') return [target];
  if (Array.isArray(target)) return target.flatMap(conditional);
  if (!isObject(target)) return [];
  return Object.entries(target).flatMap(([condition, inner]) => (CONDITIONS.has(condition) ? conditional(inner) : []));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
