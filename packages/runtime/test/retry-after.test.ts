import { describe, expect, test } from 'vitest';
import { requestedWaitMs } from '../src/index.ts';

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
