import { describe, expect, test } from 'vitest';
import { requestedWaitMs, nextWaitMs, RETRY_PLAN_SECONDS } from '../../src/callbacks/deliver.ts';

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

describe('Retry-After', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');

  test.each([
    ['120', 120_000],
    [' 7 ', 7000],
    ['0', 0],
    ['Sat, 21 Nov 2026 12:10:00 GMT', 600_000],
    ['Saturday, 21-Nov-26 12:10:00 GMT', 600_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['-5', 0],
    ['1.5', 0],
    ['2026-11-21T12:10:00Z', 0],
    ['soon', 0],
    ['', 0],
  ])('%j asks for %i ms', (text, ms) => {
    expect([requestedWaitMs(503, text, now), requestedWaitMs(429, text, now)]).toEqual([ms, ms]);
  });

  test('counts with 429 and 503 only', () => {
    expect([200, 301, 400, 500, 502].map((status) => requestedWaitMs(status, '120', now))).toEqual([0, 0, 0, 0, 0]);
    expect(requestedWaitMs(503, undefined, now)).toBe(0);
  });
});
