import { describe, expect, it } from 'vitest';
import { isAbove } from '../src/benchmark.ts';
import { openModel } from '../src/open-model.ts';

const spread = (low: number) => ({ low, median: low + 1, high: low + 2 });

describe('payments that arrive at random', () => {
  it('arrive at the rate, whatever has become of those before', async () => {
    const providerTimes: number[] = [];
    const result = await openModel({ rate: 400, seconds: 1, seed: 'a' }, async (at, providerMs) => {
      providerTimes.push(providerMs);
      return { isPaid: at % 10 !== 0, payMs: at, wholeMs: 2 * at };
    });
    expect(result.arrived).toBeGreaterThan(330);
    expect(result.arrived).toBeLessThan(470);
    expect(result.failed).toBe(Math.ceil(result.arrived / 10));
    expect(result.payMs[1]).toBeGreaterThan(result.payMs[0]);
    expect(result.wholeMs[0]).toBe(2 * result.payMs[0]);
    const sorted = providerTimes.toSorted((left, right) => left - right);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeGreaterThan(105);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(135);
  });

  it('are the same for the same seed', async () => {
    const drawn = async (seed: string) => {
      const times: number[] = [];
      await openModel({ rate: 200, seconds: 0.2, seed }, async (_at, providerMs) => {
        times.push(providerMs);
        return { isPaid: true, payMs: 0, wholeMs: 0 };
      });
      return times;
    };
    expect(await drawn('a')).toEqual(await drawn('a'));
    expect(await drawn('a')).not.toEqual(await drawn('b'));
  });
});

it('a row is above its bound when its lower quarter is', () => {
  const row = { what: 'Round trips', unit: 'per payment', bound: 12 };
  expect(isAbove({ ...row, value: spread(12) })).toBe(false);
  expect(isAbove({ ...row, value: spread(12.1) })).toBe(true);
  expect(isAbove({ what: 'Round trips', unit: 'per payment', value: spread(99) })).toBe(false);
});
