import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readManifest, root } from './support/workspace.ts';

interface Stage {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
}

interface Run {
  readonly stages: readonly Stage[];
  readonly tests: object | undefined;
  readonly requireAll: boolean;
}

type Closing = (run: Run) => { ok: boolean; lines: string[] };
type IsNewEnough = (version: string) => boolean;
type MadeOnce = (home: string, part: string, make: (own: string) => Promise<void>) => Promise<string>;

const isFunction = (value: unknown): boolean => typeof value === 'function';
const script = async (name: string): Promise<unknown> => import(join(root, 'scripts', name));
const { closing } = z.object({ closing: z.custom<Closing>(isFunction) }).parse(await script('summary.mjs'));
const { isNewEnough } = z
  .object({ isNewEnough: z.custom<IsNewEnough>(isFunction) })
  .parse(await script('toolchain.mjs'));
const { madeOnce } = z.object({ madeOnce: z.custom<MadeOnce>(isFunction) }).parse(await script('made-once.mjs'));

const green = { passed: 12, failed: 0, skipped: 0, notRun: [], red: [], problems: [] };
const notRun = { ...green, skipped: 1, notRun: [{ title: 'the page', reason: 'Chromium is missing' }] };
const stage = (name: string, ok = true): Stage => ({ name, ok, seconds: 1 });

test('a green run closes with its counts', () => {
  expect(closing({ stages: [stage('lint'), stage('tests')], tests: green, requireAll: true })).toEqual({
    ok: true,
    lines: ['ok   lint (1.0 s)', 'ok   tests (1.0 s)', '12 passed, 0 failed'],
  });
});

test('a test that did not run is listed, and lets the run pass where tools may be missing', () => {
  const end = closing({ stages: [stage('tests')], tests: notRun, requireAll: false });
  expect(end.ok).toBe(true);
  expect(end.lines.slice(1)).toEqual(['NOT RUN: the page: Chromium is missing', '12 passed, 0 failed, 1 skipped']);
});

test('a test that did not run fails the run where every test must run', () => {
  expect(closing({ stages: [stage('tests')], tests: notRun, requireAll: true }).ok).toBe(false);
});

test('a failed test is named at the end, with what it said', () => {
  const tests = { ...green, failed: 1, red: [{ title: 'x.test.ts > adds', said: ' expected 1 to be 2' }] };
  const end = closing({ stages: [stage('tests', false)], tests, requireAll: true });
  expect(end.lines.slice(1)).toEqual(['FAIL x.test.ts > adds: expected 1 to be 2', '12 passed, 1 failed']);
});

test.each([
  ['a failed stage', [stage('lint', false), stage('tests')], green, '12 passed, 1 failed'],
  ['failed tests', [stage('tests', false)], { ...green, failed: 3 }, '12 passed, 3 failed'],
  ['a runner that died', [stage('tests', false)], undefined, '0 passed, 1 failed'],
  ['a runner that says nothing and ends well', [stage('tests')], undefined, '0 passed, 1 failed'],
  [
    'a choice of tests that nothing fits',
    [stage('tests')],
    { ...green, passed: 0, skipped: 3 },
    '0 passed, 1 failed, 3 skipped',
  ],
  ['a runner that fails without a failed test', [stage('tests', false)], green, '12 passed, 1 failed'],
])('%s makes the run fail', (_what, stages, tests, last) => {
  const end = closing({ stages, tests, requireAll: false });
  expect(end.ok).toBe(false);
  expect(end.lines.at(-1)).toBe(last);
});

test.each([
  ['v20.20.2', false],
  ['v22.18.0', false],
  ['v22.19.0', true],
  ['v23.5.0', false],
  ['v24.0.0', true],
  ['v26.1.0', true],
])('Node %s is new enough: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected);
});

const ci = (...args: string[]) => spawnSync('bash', [join(root, '.ci/run'), ...args], { cwd: root, encoding: 'utf8' });

test('each stage that .ci/run lists runs one script that is there', () => {
  const { scripts } = readManifest('.');
  const text = readFileSync(join(root, '.ci/run'), 'utf8');
  const commands = [...text.matchAll(/^ {4}(\w+)\) stage \d+ npm (?:run )?(\S+).* ;;$/gm)];
  expect(commands.map(([, stage]) => stage)).toEqual(JSON.parse(ci('--list').stdout));
  expect(commands.filter(([, , name = '']) => scripts[name] === undefined)).toEqual([]);
});

test('.ci/run refuses a stage that it does not have, and names those that it has', () => {
  const { status, stderr } = ci('tests');
  expect({ status, stderr }).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('"tests". Known: test long '),
  });
});

test('a stage that continuous integration runs on Node 22 is one that .ci/run lists', () => {
  const text = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');
  const stages = [...text.matchAll(/- \{ stage: (\w+), node: 22 \}/g)].map(([, stage]) => stage);
  expect(stages).toEqual(['test', 'install', 'crash']);
  expect(JSON.parse(ci('--list').stdout)).toEqual(expect.arrayContaining(stages));
});

test('a script that fails says so without a stack when it knows what to do', () => {
  const text = `import { main, Refusal } from './scripts/print.mjs'; await main(() => { throw new Refusal('No.', 'Do it.'); });`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'railyard: No.\nrailyard: Do it.\n' });
});

test('installing dependencies first leaves the output of a command to the command', () => {
  const clone = mkdtempSync(join(tmpdir(), 'railyard-clone-'));
  cpSync(join(root, 'scripts'), join(clone, 'scripts'), { recursive: true });
  for (const folder of ['packages', 'node_modules']) mkdirSync(join(clone, folder));
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) writeFileSync(join(clone, file), '');
  writeFileSync(join(clone, 'pnpm.mjs'), `process.stdout.write('980 packages added')`);
  const toolchain = JSON.stringify({ node: process.execPath, pnpm: join(clone, 'pnpm.mjs'), pnpmBin: clone });
  const command = `import { install } from './scripts/install.mjs'; await install(${toolchain}); process.stdout.write('{}')`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', command], {
    cwd: clone,
    encoding: 'utf8',
  });
  rmSync(clone, { recursive: true });
  expect(stdout).toBe('{}');
  expect(stderr).toContain('980 packages added');
});

describe('a tool that is fetched', () => {
  const tools = mkdtempSync(join(tmpdir(), 'railyard-tools-'));
  afterAll(() => rmSync(tools, { recursive: true, force: true }));
  const write = async (own: string) => writeFileSync(join(own, 'tool'), '');

  test('is whole for each caller who asked at the same time', async () => {
    const home = join(tools, 'together');
    // A second one begins, and is done and used, while the first one is still at it.
    const first = madeOnce(home, 'tool', async (own) => {
      await madeOnce(home, 'tool', write);
      await write(own);
    });
    expect(await first).toBe(home);
    expect(readdirSync(home).toSorted()).toEqual(['installed', 'tool']);
    expect(readdirSync(tools)).toEqual(['together']);
  });

  test('is not fetched again', async () => {
    const home = join(tools, 'again');
    await madeOnce(home, 'tool', write);
    await madeOnce(home, 'tool', () => Promise.reject(new Error('fetched again')));
  });

  test('takes the place of one whose fetching was interrupted', async () => {
    const home = join(tools, 'interrupted');
    mkdirSync(home);
    for (const file of ['half', 'installed']) writeFileSync(join(home, file), '');
    await madeOnce(home, 'tool', write);
    expect(readdirSync(home).toSorted()).toEqual(['installed', 'tool']);
  });

  test('leaves nothing behind where it cannot be had', async () => {
    const home = join(tools, 'refused');
    await expect(madeOnce(home, 'tool', () => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
    expect(readdirSync(tools).filter((name) => name.startsWith('refused'))).toEqual([]);
  });
});
