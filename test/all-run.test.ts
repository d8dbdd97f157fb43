import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { graphOf, reach } from '../tools/tests/graph.ts';
import { SLOW_BY_NAME, TIERS, tierOf } from '../tools/tests/tiers.ts';
import { packages, readManifest, root, textFiles } from './support/workspace.ts';

const choice = z.object({ projects: z.array(z.string()), files: z.array(z.string()) });
const { CRASH, LONG, WITHOUT_LONG } = z
  .object({ CRASH: choice, LONG: z.array(z.string()), WITHOUT_LONG: z.record(z.string(), z.string()) })
  .parse(await import(join(root, 'scripts/long-tests.mjs')));

/** The test files that the runner finds, each with its project. */
async function listed(crashPoints: string | undefined, more: Readonly<Record<string, string>> = {}) {
  const { RAILYARD_CRASH_POINTS: _, RAILYARD_LEFT_OUT: __, ...env } = process.env;
  const { stdout } = await promisify(execFile)(
    join(root, 'node_modules/.bin/vitest'),
    ['list', '--filesOnly', '--json'],
    {
      cwd: root,
      env: { ...env, ...more, ...(crashPoints !== undefined && { RAILYARD_CRASH_POINTS: crashPoints }) },
    },
  );
  return z
    .array(z.object({ file: z.string(), projectName: z.string() }))
    .parse(JSON.parse(stdout))
    .map(({ file, projectName }) => ({ path: file.slice(root.length), project: projectName }));
}

const [ordinary, named, all] = await Promise.all([listed(undefined, WITHOUT_LONG), listed(undefined), listed('all')]);
type Listed = (typeof all)[number];

const isTaken = ({ path, project }: Listed, { projects, files } = CRASH): boolean =>
  projects.includes(project) && files.some((word) => path.includes(word));

test('every test file belongs to a project, but for those of `npm run test:install`', () => {
  const known = new Set(all.map(({ path }) => path));
  const files = textFiles((path) => /\.(test|spec)\.[cm]?[jt]sx?$/.test(path)).map(({ path }) => path);
  expect(files.filter((path) => !known.has(path) && !path.startsWith('release/install/'))).toEqual([]);
});

test('what `npm test` leaves out, `npm run test:crash` runs', () => {
  const known = new Set(named.map(({ path }) => path));
  const left = all.filter(({ path }) => !known.has(path));
  expect(left.length).toBeGreaterThan(0);
  expect(left.filter((one) => !isTaken(one))).toEqual([]);
});

test('the files that `npm test` leaves out are those that `npm run test:long` names, in every project', () => {
  const key = ({ path, project }: Listed) => `${project} ${path}`;
  const run = new Set(ordinary.map(key));
  const left = named.filter((one) => !run.has(key(one)));
  expect([...new Set(left.map(({ path }) => path))].toSorted()).toEqual(LONG);
  expect(ordinary.filter(({ path }) => LONG.includes(path))).toEqual([]);
});

test('every word by which test:crash chooses tests, and every project, is that of a test', () => {
  const { projects, files } = CRASH;
  const idle = [
    ...files.filter((word) => !all.some((one) => isTaken(one, { projects, files: [word] }))),
    ...projects.filter((name) => !all.some((one) => isTaken(one, { projects: [name], files }))),
  ];
  expect(idle).toEqual([]);
});

test('every test file has one tier, and every tier has files', () => {
  const graph = graphOf(root);
  const tiers = new Map(all.map(({ path }) => [path, tierOf(path, graph)]));
  expect(new Set(tiers.values())).toEqual(new Set(TIERS));
  const onServer = all.filter(({ project, path }) => project === 'checkout-server' && tiers.get(path) === 'unit');
  expect(onServer).toEqual([]);
});

test('every place that is slow by name is that of a test that no import makes slow', () => {
  expect(SLOW_BY_NAME.filter((place) => !all.some(({ path }) => path.startsWith(place)))).toEqual([]);
});

test('every package with unit tests runs them by its script `test`, which turbo keeps the result of', () => {
  const graph = graphOf(root);
  const unit = all.filter(({ path, project }) => project !== 'repo' && tierOf(path, graph) === 'unit');
  const folders = new Set(unit.map(({ path }) => /^(packages\/)?[^/]+/.exec(path)?.[0] ?? ''));
  expect(folders.size).toBeGreaterThan(packages().length / 2);
  const scripts = [...folders].map((folder) => readManifest(folder).scripts['test']);
  expect(scripts.filter((script) => !/^node (\.\.\/){1,2}tools\/tests\/unit\.ts$/.test(script ?? ''))).toEqual([]);
});

/** Files that every package's results are kept by; as in turbo.json. */
const FOR_ALL = /^(vitest\.(base|config)\.ts|(packages\/(conformance|core|runtime)\/)?test\/support\/|tools\/tests\/)/;

test('a unit test imports only what its kept result depends on: its package, sources of packages, and what turbo.json lists', () => {
  const graph = graphOf(root);
  const unit = all.filter(({ path, project }) => project !== 'repo' && tierOf(path, graph) === 'unit');
  const foreign = unit.flatMap(({ path }) => {
    const own = /^(packages\/)?[^/]+\//.exec(path)?.[0] ?? path;
    const isKnown = (file: string) =>
      file.startsWith(own) || FOR_ALL.test(file) || /^packages\/[^/]+\/src\//.test(file);
    const behind = [...reach(path, (file) => graph(file).values).keys()];
    return behind.filter((file) => file.endsWith('.ts') && !isKnown(file)).map((file) => `${path}: ${file}`);
  });
  expect(foreign).toEqual([]);
});
