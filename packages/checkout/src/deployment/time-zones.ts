import type { Day } from '@railyard/core/protocol';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'iso8601',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formats.set(timeZone, made);
  return made;
}

/** Whether the time zone is one of the IANA database, as this Node.js has it. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The day that it is at a moment. @param at milliseconds since 1970 @param timeZone of the IANA database: `Europe/Berlin` */
export function dayAt(at: number, timeZone: string): Day {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}

/** No place is further from UTC than this: Line Islands, UTC+14. */
const FURTHEST_MS = 15 * 3_600_000;

/**
 * The first moment at which it is the day, or a later one where the place has left the day out; the clock may be set forward at midnight.
 *
 * @returns milliseconds since 1970
 * @example startOfDay('2027-03-28', 'Europe/Berlin') // Date.parse('2027-03-27T23:00:00Z')
 */
export function startOfDay(day: Day, timeZone: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  let before = midnight - FURTHEST_MS;
  let within = midnight + FURTHEST_MS;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (dayAt(middle, timeZone) >= day) within = middle;
    else before = middle;
  }
  return within;
}
