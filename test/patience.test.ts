import { describe, expect, test } from 'vitest';
import { textFiles } from './support/workspace.ts';

/** Milliseconds. Continuous integration is several times slower than the machine on which a test is written. */
const LEAST = 30_000;

/** Where a test gives up waiting sooner: a time in it may end a wait, but never say how fast anything is. */
const hurried = ({ path, text }: { readonly path: string; readonly text: string }): string[] => [
  ...[...text.matchAll(/\btimeout: ?(\d[\d_]*)/g)]
    .filter(([, number = '']) => Number(number.replaceAll('_', '')) < LEAST)
    .map(
      ([found]) => `${path}: ${found} is less than ${LEAST}; leave it out, so that the time of vitest.base.ts counts`,
    ),
  // No setting of the runner changes the second that it waits by itself.
  ...[...text.matchAll(/waitUntil\([^;]*;/g)]
    .filter(([found]) => !/timeout|PATIENCE/.test(found))
    .map(([found]) => `${path}: ${found} gives up after a second; add { timeout: 60_000 }`),
];

test('no test gives up early on a busy machine', () => {
  const tests = textFiles((path) => /\.test\.ts$|\/test\/.*\.ts$|^(test|examples|demo)\/.*\.ts$/.test(path));
  expect(tests.length).toBeGreaterThan(300);
  expect(tests.filter(({ path }) => path !== 'test/patience.test.ts').flatMap(hurried)).toEqual([]);
});

describe('a test is refused', () => {
  test.each([
    ['that polls for ten seconds', 'await expect.poll(look, { timeout: 10_000, interval: 20 }).toBe(1);'],
    ['that waits without a time', 'await vi.waitUntil(() => seen.length === 2);'],
    ['whose group has less time than all others', "describe('a change', { timeout: 20000 }, () => {});"],
  ])('%s', (_what, text) => {
    expect(hurried({ path: 'a.test.ts', text })).toHaveLength(1);
  });

  test('not for a time in which nothing may come, nor for patience', () => {
    expect(hurried({ path: 'a.test.ts', text: 'call({ timeoutMs: 20 }); poll(look, { timeout: 40_000 });' })).toEqual(
      [],
    );
  });
});
