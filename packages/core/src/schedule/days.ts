/** A day of the calendar, `YYYY-MM-DD`. Days compare as texts. */
export type Day = string;

const DAY_MS = 86_400_000;

const msOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
const dayOf = (ms: number): Day => new Date(ms).toISOString().slice(0, 10);

/** @example daysAfter('2028-02-28', 2) // '2028-03-01' */
export const daysAfter = (day: Day, days: number): Day => dayOf(msOf(day) + days * DAY_MS);

/** 1 to 31. */
export const dayOfMonth = (day: Day): number => Number(day.slice(8));

/** 1 for Monday to 7 for Sunday, as ISO 8601 counts. */
export const weekdayOf = (day: Day): number => new Date(msOf(day)).getUTCDay() || 7;

/**
 * The day of a number in the month that lies so many months later; a month that is too short has its last day.
 *
 * @example monthsAfter('2027-01-31', 1, 31) // '2027-02-28'
 */
export function monthsAfter(day: Day, months: number, number: number): Day {
  const month = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months;
  const year = Math.floor(month / 12);
  const last = new Date(Date.UTC(year, (month % 12) + 1, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month % 12, Math.min(number, last)));
}
