import { daysAfter } from '@railyard/core/protocol';
import { describe, expect, it, test } from 'vitest';
import * as fc from '../../../../test/support/properties.ts';
import { dayAt, isTimeZone, startOfDay } from '../../src/deployment/time-zones.ts';

const anyDay = fc.integer({ min: 0, max: 3000 }).map((offset) => daysAfter('2027-01-01', offset));

describe('days of a time zone', () => {
  test.each([
    ['2027-03-28', 'Europe/Berlin', '2027-03-27T23:00:00.000Z'],
    ['2027-03-29', 'Europe/Berlin', '2027-03-28T22:00:00.000Z'],
    ['2027-10-31', 'Europe/Berlin', '2027-10-30T22:00:00.000Z'],
    ['2027-11-01', 'Europe/Berlin', '2027-10-31T23:00:00.000Z'],
    ['2027-07-01', 'UTC', '2027-07-01T00:00:00.000Z'],
    ['2027-07-01', 'Asia/Kolkata', '2027-06-30T18:30:00.000Z'],
    ['2027-07-01', 'Pacific/Kiritimati', '2027-06-30T10:00:00.000Z'],
    // Chile sets its clocks forward at midnight: the day begins at one o'clock.
    ['2027-09-05', 'America/Santiago', '2027-09-05T04:00:00.000Z'],
    // Samoa left 30 December 2011 out.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('%s in %s begins at %s', (day, timeZone, expected) => {
    expect(new Date(startOfDay(day, timeZone)).toISOString()).toBe(expected);
  });

  it('begin where it becomes that day, in every time zone', () => {
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...Intl.supportedValuesOf('timeZone')), (day, timeZone) => {
        const at = startOfDay(day, timeZone);
        expect(dayAt(at, timeZone) >= day).toBe(true);
        expect(dayAt(at - 1, timeZone) < day).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('are known by their names alone', () => {
    expect(['Europe/Berlin', 'UTC', 'Mars/Base', ''].map(isTimeZone)).toEqual([true, true, false, false]);
  });
});
