import { readdirSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { importsOf } from '../../test/support/imports.ts';

/** What a file leads to: files of the repository by their path from its root, anything else by the name it is imported by. */
export interface Leads {
  /** What runs when the file runs. */
  readonly values: readonly string[];
  /** That, types, and every file named in a text: fixtures, programs that are started, what a configuration lists. */
  readonly all: readonly string[];
}

/** The leads of a file, read when they are first asked for. */
export type Graph = (path: string) => Leads;

const NONE: Leads = { values: [], all: [] };
const TEXT = /(['"`])([^'"`\s$]+\.[a-z]+)\1/g;

/** @param root of the repository */
export function graphOf(root: string): Graph {
  const sources = sourcesOf(root);
  const isFile = (path: string) => statSync(posix.join(root, path), { throwIfNoEntry: false })?.isFile() === true;
  const read = (path: string): Leads => {
    const text = readFileSync(posix.join(root, path), 'utf8');
    const from = (specifier: string) => posix.join(posix.dirname(path), specifier);
    const imports = importsOf(path, text).flatMap(({ specifier, typeOnly }) => {
      if (specifier === undefined) return [];
      const target = specifier.startsWith('.') ? from(specifier) : (sources.get(specifier) ?? specifier);
      return [{ target, typeOnly }];
    });
    const named = [...text.matchAll(TEXT)].map(([, , name = '']) => from(name)).filter(isFile);
    return {
      values: imports.filter(({ typeOnly }) => !typeOnly).map(({ target }) => target),
      all: [...new Set([...imports.map(({ target }) => target), ...named])],
    };
  };
  const known = new Map<string, Leads>();
  return (path) => {
    const leads = known.get(path) ?? (/\.m?[jt]s$/.test(path) && isFile(path) ? read(path) : NONE);
    known.set(path, leads);
    return leads;
  };
}

/** The source of every entry of the packages here, by the name it is imported by. */
function sourcesOf(root: string): Map<string, string> {
  const folders = readdirSync(posix.join(root, 'packages')).map((name) => `packages/${name}`);
  const entries = folders.flatMap((folder) => {
    const manifest: Manifest = JSON.parse(readFileSync(posix.join(root, folder, 'package.json'), 'utf8'));
    return Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) => {
      const source = typeof target === 'string' ? undefined : target['@railyard/source'];
      return source === undefined ? [] : [[posix.join(manifest.name, entry), posix.join(folder, source)] as const];
    });
  });
  return new Map(entries);
}

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** Everything that a file leads to, itself included, each with the number of steps to it. Where `enters` says no, the way ends. */
export function reach(
  start: string,
  next: (path: string) => readonly string[],
  enters: (path: string) => boolean = () => true,
): Map<string, number> {
  const steps = new Map([[start, 0]]);
  for (const [path, count] of steps) {
    if (path !== start && !enters(path)) continue;
    for (const target of next(path)) if (!steps.has(target)) steps.set(target, count + 1);
  }
  return steps;
}
