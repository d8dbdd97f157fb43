import { expect, test } from 'vitest';
import { beginDurably, DatabaseUnavailableError } from '../../src/storage/index.ts';

const lost = new DatabaseUnavailableError('unknown', new Error('gone'));
const undone = new DatabaseUnavailableError('none', new Error('gone'));
const notLookedFor = () => Promise.reject(new Error('It was looked for.'));

test('a beginning whose answer comes is not looked for', async () => {
  expect(await beginDurably(() => Promise.resolve('begun'), notLookedFor)).toBe('begun');
});

test('a beginning whose answer was lost goes on with what is found, and is not stored again', async () => {
  let times = 0;
  const begin = () => {
    times += 1;
    return Promise.reject(lost);
  };
  expect(await beginDurably(begin, (why) => Promise.resolve(why === lost && 'found'))).toBe('found');
  expect(times).toBe(1);
});

test.each([
  ['that is not there', () => Promise.resolve(undefined)],
  ['that cannot be looked for', () => Promise.reject(undone)],
])('a beginning whose answer was lost and %s may still come: its effect stays unknown', async (_name, find) => {
  await expect(beginDurably(() => Promise.reject(lost), find)).rejects.toBe(lost);
});

test.each([undone, new Error('a mistake')])('a beginning that failed with %s is not looked for', async (failure) => {
  await expect(beginDurably(() => Promise.reject(failure), notLookedFor)).rejects.toBe(failure);
});
