import { posix } from 'node:path';
import { type Graph, reach } from './graph.ts';

/** What every test stands on without importing it: versions of what is installed, and how it is compiled. */
const UNDER_ALL = /(^|\/)(package\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|tsconfig[^/]*\.json)$/;

export interface Touched {
  /** The tests that a changed file is behind, nearest first. */
  readonly tests: readonly string[];
  /** Changed files that are behind none of them. */
  readonly unreached: readonly string[];
}

/**
 * A change is near to a test that imports the changed file itself, and far from one that comes to it over many imports. Tests that are as
 * near as each other take turns by folder, so that the first of them are not all about one thing.
 *
 * @param tests to choose from
 * @param changed paths; a removed file counts by those that named it, which changed too
 */
export function touchedBy(changed: readonly string[], tests: readonly string[], graph: Graph): Touched {
  const isWide = changed.some((path) => UNDER_ALL.test(path));
  const reached = new Set<string>();
  const near = tests.flatMap((path) => {
    const steps = reach(path, (file) => (file === path ? [...graph(file).all, ...configsOf(file)] : graph(file).all));
    const found = changed.filter((file) => steps.has(file));
    for (const file of found) reached.add(file);
    const distance = Math.min(...found.map((file) => steps.get(file) ?? Infinity));
    return isWide || found.length > 0 ? [{ path, distance }] : [];
  });
  return {
    tests: inTurns(near.toSorted((a, b) => order(a.distance, b.distance) || order(a.path, b.path))),
    unreached: changed.filter((path) => !reached.has(path) && !UNDER_ALL.test(path)),
  };
}

/** The runner's configurations that a test is run by: its package's, with what is prepared for its tests. */
function configsOf(path: string): string[] {
  const [place = '', name = ''] = path.split('/');
  return [`${place === 'packages' ? posix.join(place, name) : place}/vitest.config.ts`];
}

/** Keeps the order by distance; within one distance, the first of each folder, then the second of each, and so on. */
function inTurns(near: readonly { readonly path: string; readonly distance: number }[]): string[] {
  const seen = new Map<string, number>();
  return near
    .map(({ path, distance }) => {
      const group = `${distance} ${posix.dirname(path)}`;
      const turn = seen.get(group) ?? 0;
      seen.set(group, turn + 1);
      return { path, distance, turn };
    })
    .toSorted((a, b) => order(a.distance, b.distance) || order(a.turn, b.turn) || order(a.path, b.path))
    .map(({ path }) => path);
}

/** Also of Infinity, which does not differ from itself by a number. */
function order<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
