import { type Day, dayOfMonth, daysAfter, monthsAfter, weekdayOf } from './days.ts';
import { type ScheduleTerms, WEEKDAYS } from './terms.ts';

/** The beginning of a chain of payments, in the merchant's time zone. */
export interface Beginning {
  /** The day of the first payment, which the payer made. */
  readonly began: Day;
  /** `schedule_start_date`: the day of the first charge, in place of what the schedule says. */
  readonly startDate?: Day | undefined;
}

/** The terms that a schedule has for the days after one. */
export interface TermsSince {
  /** Absent of the terms that the schedule was created with. */
  readonly after?: Day | undefined;
  readonly terms: ScheduleTerms;
}

/** Days at a distance of whole intervals, counted from the first of them, so that a short month shifts none of the later ones. */
interface Series {
  readonly first: Day;
  /** The day of the month that is meant, also where a month is too short for it. */
  readonly monthDay: number;
}

type Interval = readonly [length: number, unit: 'day' | 'month'];

const later = (from: Day, [length, unit]: Interval, monthDay: number): Day =>
  unit === 'day' ? daysAfter(from, length) : monthsAfter(from, length, monthDay);

/** The day of a series, the first is 0. */
const dayOfSeries = ({ first, monthDay }: Series, terms: ScheduleTerms, index: number): Day =>
  index === 0 ? first : later(first, [terms.interval_length * index, terms.interval_unit], monthDay);

/** The next day of the month of that number: in this month or the next, in a shorter one its last day. */
function nextOfMonth(day: Day, number: number): Day {
  const inThis = monthsAfter(day, 0, number);
  return inThis > day ? inThis : monthsAfter(day, 1, number);
}

/** The days that are counted from a chain's first payment (protocol: Recurring schedule parameters; schedule_start_date). */
function seriesOf(terms: ScheduleTerms, { began, startDate }: Beginning): Series {
  const { interval_length, interval_unit, day_of_month } = terms;
  const of = (first: Day, monthDay: number): Series => ({ first, monthDay: day_of_month ?? monthDay });
  if (startDate !== undefined) return of(startDate, dayOfMonth(startDate));
  switch (terms.delayed_first_payment) {
    case 'none': {
      const monthDay = day_of_month ?? dayOfMonth(began);
      return of(later(began, [interval_length, interval_unit], monthDay), monthDay);
    }
    case 'delay_by_interval': {
      const { first_payment_interval_length: length = 1, first_payment_interval_unit: unit = 'day' } = terms;
      const first = later(began, [length, unit], dayOfMonth(began));
      return of(first, dayOfMonth(unit === 'month' ? began : first));
    }
    case 'day_of_week': {
      const wanted = WEEKDAYS.findIndex((name) => name === terms.first_payment_day_of_week) + 1;
      const first = daysAfter(began, ((wanted - weekdayOf(began) + 6) % 7) + 1);
      return of(first, dayOfMonth(first));
    }
    case 'day_of_month': {
      const { first_payment_day_of_month: number = 1 } = terms;
      return of(nextOfMonth(began, number), number);
    }
  }
}

/** New terms count from the last due day before them. */
const seriesAfter = (last: Day, terms: ScheduleTerms, before: Series): Series => {
  const monthDay = terms.day_of_month ?? before.monthDay;
  return { first: later(last, [terms.interval_length, terms.interval_unit], monthDay), monthDay };
};

/**
 * The days on which a chain is due, without an end: how many of them are charged, the schedule's count says.
 *
 * @param history the terms of the schedule, oldest first
 * @example 31 January, each month: 28 February, 31 March, 30 April …
 */
export function* dueDays(history: readonly TermsSince[], beginning: Beginning): Generator<Day, void> {
  let last: Day | undefined;
  let before: Series | undefined;
  for (const [place, { after, terms }] of history.entries()) {
    const until = history[place + 1]?.after;
    const series =
      last === undefined || before === undefined ? seriesOf(terms, beginning) : seriesAfter(last, terms, before);
    for (let index = 0; ; index += 1) {
      const day = dayOfSeries(series, terms, index);
      if (until !== undefined && day > until) break;
      if (after !== undefined && day <= after) continue;
      last = day;
      yield day;
    }
    before = series;
  }
}

/** `first_recurring_date`: the day of the first charge. */
export function firstDueDay(history: readonly TermsSince[], beginning: Beginning): Day | undefined {
  for (const day of dueDays(history, beginning)) return day;
  return undefined;
}
