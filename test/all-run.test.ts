import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { root, textFiles } from './support/workspace.ts';

const choice = z.object({ projects: z.array(z.string()), files: z.array(z.string()) });
const { CRASH } = z.object({ CRASH: choice }).parse(await import(join(root, 'scripts/long-tests.mjs')));

/** The test files that the runner finds, each with its project. */
async function listed(crashPoints: string | undefined) {
  const { RAILYARD_CRASH_POINTS: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(
    join(root, 'node_modules/.bin/vitest'),
    ['list', '--filesOnly', '--json'],
    {
      cwd: root,
      env: { ...env, ...(crashPoints !== undefined && { RAILYARD_CRASH_POINTS: crashPoints }) },
    },
  );
  return z
    .array(z.object({ file: z.string(), projectName: z.string() }))
    .parse(JSON.parse(stdout))
    .map(({ file, projectName }) => ({ path: file.slice(root.length), project: projectName }));
}

const [ordinary, all] = await Promise.all([listed(undefined), listed('all')]);
type Listed = (typeof all)[number];

const isTaken = ({ path, project }: Listed, { projects, files } = CRASH): boolean =>
  projects.includes(project) && files.some((word) => path.includes(word));

test('every test file belongs to a project, but for those of `npm run test:install`', () => {
  const known = new Set(all.map(({ path }) => path));
  const files = textFiles((path) => /\.(test|spec)\.[cm]?[jt]sx?$/.test(path)).map(({ path }) => path);
  expect(files.filter((path) => !known.has(path) && !path.startsWith('release/install/'))).toEqual([]);
});

test('what `npm test` leaves out, `npm run test:crash` runs', () => {
  const known = new Set(ordinary.map(({ path }) => path));
  const left = all.filter(({ path }) => !known.has(path));
  expect(left.length).toBeGreaterThan(0);
  expect(left.filter((one) => !isTaken(one))).toEqual([]);
});

test('every word by which test:crash chooses tests, and every project, is that of a test', () => {
  const { projects, files } = CRASH;
  const idle = [
    ...files.filter((word) => !all.some((one) => isTaken(one, { projects, files: [word] }))),
    ...projects.filter((name) => !all.some((one) => isTaken(one, { projects: [name], files }))),
  ];
  expect(idle).toEqual([]);
});
