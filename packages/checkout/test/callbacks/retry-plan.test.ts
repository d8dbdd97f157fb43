import { describe, expect, test } from 'vitest';
import { nextWaitMs, RETRY_PLAN_SECONDS } from '../../src/callbacks/deliver.ts';

const MINUTE = 60;
const HOUR = 3600;

describe('the retry plan', () => {
  test('is 5 s, 1, 5, 15, 30 min, 1, 2, 4, 8, 12, 24 and 24 h after the first attempt', () => {
    const hours = [1, 2, 4, 8, 12, 24, 24].map((each) => each * HOUR);
    expect(RETRY_PLAN_SECONDS).toEqual([5, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, ...hours]);
  });

  test('varies each wait by a fifth', () => {
    for (const [index, seconds] of RETRY_PLAN_SECONDS.entries())
      expect([0, 0.5, 1].map((random) => nextWaitMs(index + 1, random))).toEqual([
        seconds * 800,
        seconds * 1000,
        seconds * 1200,
      ]);
  });

  test('ends after the thirteenth attempt', () => {
    expect(nextWaitMs(13, 0.5)).toBeUndefined();
    expect(nextWaitMs(13, 0.5, 5000)).toBeUndefined();
  });

  test('waits as long as the receiver asks, at least as planned, at most a day', () => {
    expect([0, 1000, 90_000, 10 ** 12].map((asked) => nextWaitMs(1, 0.5, asked))).toEqual([
      5000, 5000, 90_000, 86_400_000,
    ]);
  });
});
