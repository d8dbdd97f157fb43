/**
 * A second opinion about due days. It walks the calendar one day at a time and asks of each day whether it is due, where the code counts from
 * the first; nothing of the code's is used.
 */
import type { Chain, CatchUp } from '../../src/schedule/decide-due.ts';
import type { Beginning } from '../../src/schedule/due-days.ts';
import type { ScheduleTerms } from '../../src/schedule/terms.ts';

const NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

class Calendar {
  readonly date: Date;
  constructor(day: string) {
    this.date = new Date(`${day}T12:00:00Z`);
  }
  get text() {
    return this.date.toISOString().slice(0, 10);
  }
  next() {
    this.date.setUTCDate(this.date.getUTCDate() + 1);
  }
  get month() {
    return this.date.getUTCFullYear() * 12 + this.date.getUTCMonth();
  }
  get number() {
    return this.date.getUTCDate();
  }
  get isLast() {
    return new Date(this.date.getTime() + 86_400_000).getUTCDate() === 1;
  }
  /** Whether the day stands for a number of the month. */
  isNumber(number: number) {
    return this.number === number || (this.isLast && this.number < number);
  }
}

const monthOf = (day: string) => new Calendar(day).month;
const numberOf = (day: string) => new Calendar(day).number;
const daysBetween = (from: string, to: string) =>
  Math.round((Date.parse(`${to}T12:00:00Z`) - Date.parse(`${from}T12:00:00Z`)) / 86_400_000);

/** Whether the chain's first charge falls on the day, if it did not on an earlier one. */
function isFirst(day: Calendar, terms: ScheduleTerms, { began, startDate }: Beginning): boolean {
  if (startDate !== undefined) return day.text === startDate;
  const byInterval = (length: number, unit: string, number: number) =>
    unit === 'day'
      ? daysBetween(began, day.text) === length
      : day.month - monthOf(began) === length && day.isNumber(number);
  switch (terms.delayed_first_payment) {
    case 'none':
      return byInterval(terms.interval_length, terms.interval_unit, terms.day_of_month ?? numberOf(began));
    case 'delay_by_interval':
      return byInterval(
        terms.first_payment_interval_length ?? 0,
        terms.first_payment_interval_unit ?? '',
        numberOf(began),
      );
    case 'day_of_week':
      return day.text > began && NAMES[day.date.getUTCDay()] === terms.first_payment_day_of_week;
    case 'day_of_month':
      return day.text > began && day.isNumber(terms.first_payment_day_of_month ?? 0);
  }
}

/** The day of the month that is meant. */
function meant(first: string, terms: ScheduleTerms, { began, startDate }: Beginning): number {
  if (terms.day_of_month !== undefined) return terms.day_of_month;
  if (startDate !== undefined) return numberOf(first);
  if (terms.delayed_first_payment === 'day_of_month') return terms.first_payment_day_of_month ?? 0;
  const keeps =
    terms.delayed_first_payment === 'none' ||
    (terms.delayed_first_payment === 'delay_by_interval' && terms.first_payment_interval_unit === 'month');
  return numberOf(keeps ? began : first);
}

/** The days up to and with one on which a chain of unchanged terms is due. */
export function oracleDays(terms: ScheduleTerms, beginning: Beginning, until: string): string[] {
  const days: string[] = [];
  const day = new Calendar(
    beginning.startDate !== undefined && beginning.startDate < beginning.began ? beginning.startDate : beginning.began,
  );
  for (; day.text <= until; day.next()) {
    const [first] = days;
    const isDue =
      first === undefined
        ? isFirst(day, terms, beginning)
        : terms.interval_unit === 'day'
          ? daysBetween(first, day.text) % terms.interval_length === 0
          : (day.month - monthOf(first)) % terms.interval_length === 0 &&
            day.month !== monthOf(first) &&
            day.isNumber(meant(first, terms, beginning));
    if (isDue) days.push(day.text);
  }
  return days;
}

/**
 * The days that end up charged, and those that are skipped, when a chain is looked at on some days and on no others: `looks`, each with whether
 * a pause holds. Pauses are given by the chain.
 */
export function oracleCharges(chain: Chain, due: readonly string[], looks: readonly string[], catchUp: CatchUp) {
  const charged: string[] = [];
  const skipped: string[] = [];
  const paused = (day: string) =>
    chain.pauses.some(({ after, until }) => after < day && (until === undefined || day <= until));
  for (const today of looks) {
    const waiting = due.filter((day) => day <= today && !charged.includes(day) && !skipped.includes(day));
    const newest = waiting.filter((day) => !paused(day)).at(-1);
    for (const day of waiting) {
      if (charged.length === chain.left) break;
      const isTaken = !paused(day) && (catchUp === 'all' || day === (catchUp === 'latest' ? newest : today));
      (isTaken ? charged : skipped).push(day);
    }
  }
  return { charged, skipped };
}
