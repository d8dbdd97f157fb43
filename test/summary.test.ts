import { expect, test } from 'vitest';
import { DOES_NOT_APPLY, NOT_RUN, onPath, requireTool } from './support/tool.ts';
import { tally } from './support/tally.ts';

test('counts passed, failed and skipped tests', () => {
  const seen = [
    { title: 'a', state: 'passed' },
    { title: 'b', state: 'failed', said: 'expected 1 to be 2' },
    { title: 'c', state: 'skipped', note: `${NOT_RUN}Chromium is missing` },
  ] as const;
  expect(tally(seen, [], false)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 1,
    notRun: [{ title: 'c', reason: 'Chromium is missing' }],
    red: [{ title: 'b', said: 'expected 1 to be 2' }],
    problems: [],
  });
});

test('takes a skip without a declared reason as a problem', () => {
  const seen = [
    { title: 'a', state: 'skipped' },
    { title: 'b', state: 'skipped', note: 'later' },
  ] as const;
  expect(tally(seen, [], false).problems).toEqual([
    'skipped without a declared reason: a',
    'skipped without a declared reason: b',
  ]);
});

test('counts a check of the kit that does not apply as skipped, and never as passed', () => {
  const seen = [{ title: 'a', state: 'skipped', note: `${DOES_NOT_APPLY}The connector has no actions.` }] as const;
  expect(tally(seen, [], false)).toMatchObject({ passed: 0, skipped: 1, notRun: [], problems: [] });
});

test('lets a name filter leave tests out', () => {
  expect(tally([{ title: 'a', state: 'skipped' }], [], true).problems).toEqual([]);
});

test('counts a test file that cannot begin as a failure', () => {
  expect(tally([], [{ name: 'x.test.ts', said: 'no port is free' }], false)).toMatchObject({
    failed: 1,
    problems: ['could not begin or end: x.test.ts:no port is free'],
  });
});

test('counts a group that cannot begin once, without its tests', () => {
  const seen = [{ title: 'x.test.ts > group > a', state: 'skipped' }] as const;
  expect(tally(seen, [{ name: 'x.test.ts > group', said: 'no port is free' }], false)).toMatchObject({
    failed: 1,
    problems: ['could not begin or end: x.test.ts > group:no port is free'],
  });
});

test('takes a test that never finished as a problem', () => {
  expect(tally([{ title: 'a', state: 'pending' }], [], false).problems).toEqual(['never finished: a']);
});

test('ends a test as NOT RUN when its tool is missing', () => {
  const notes: unknown[] = [];
  const skip = (note: unknown): never => {
    notes.push(note);
    throw new Error('skipped');
  };
  const tool = { name: 'Harp', hint: 'buy one', find: () => undefined };
  expect(() => requireTool({ skip }, tool)).toThrow('skipped');
  expect(notes).toEqual(['NOT RUN: Harp is not on this machine; buy one']);
});

test('finds a tool on the PATH and nowhere else', () => {
  expect(onPath(['node'], process.execPath.replace(/\/node$/, ''))).toBe(process.execPath);
  expect(onPath(['node'], '/nowhere')).toBeUndefined();
});
