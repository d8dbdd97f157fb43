import * as z from 'zod';
import { type Issue, issue } from '../issues/issue.ts';
import { TEXTS } from '../issues/texts.ts';
import { text, wholeNumber } from '../session/fields.ts';

export const INTERVAL_UNITS = ['day', 'month'] as const;

/** By name: a number would be another day to a client who counts from Sunday or from zero. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export const FIRST_DELAYS = ['none', 'delay_by_interval', 'day_of_week', 'day_of_month'] as const;

/** Days after a softly declined charge on which it is tried again, unless the schedule says otherwise. */
const RETRY_DAYS: readonly number[] = [1, 3, 5, 7];

/** As many tries as a card network lets pass without a question, and as many days as an interval may have. */
const MOST_RETRIES = 15;
const MOST_DAYS = 366;

const length = wholeNumber(1, MOST_DAYS);
const monthDay = wholeNumber(1, 31);

/** `1,3,5,7`, each later than the one before; `none`. */
const retryDays = z.string().transform((sent, context): readonly number[] => {
  if (sent === 'none') return [];
  const days = sent.split(',').map((each) => (/^[1-9]\d{0,2}$/.test(each.trim()) ? Number(each) : 0));
  const rises = days.every((day, index) => day > (days[index - 1] ?? 0) && day <= MOST_DAYS);
  if (!rises || days.length > MOST_RETRIES)
    context.issues.push({ code: 'custom', input: sent, message: TEXTS.notValid });
  return days;
});

/**
 * The parameters of a recurring schedule (protocol: Recurring schedule parameters; reference: S2S CARD, Schedules; `retry_days` is ours). What
 * depends on more than one of them: see `termsIssues`.
 */
export const termsSchema = z.object({
  name: text({ max: 100 }),
  interval_length: length,
  interval_unit: z.enum(INTERVAL_UNITS, TEXTS.choice),
  /** Of an interval in months: the day of the month, in shorter months the last. Default: the first payment's. */
  day_of_month: monthDay.optional(),
  /** How often the schedule charges; the payment that the payer makes does not count. */
  payments_count: wholeNumber(1, 1000),
  delayed_first_payment: z.enum(FIRST_DELAYS, TEXTS.choice).default('none'),
  first_payment_interval_length: length.optional(),
  first_payment_interval_unit: z.enum(INTERVAL_UNITS, TEXTS.choice).optional(),
  first_payment_day_of_week: z.enum(WEEKDAYS, TEXTS.choice).optional(),
  first_payment_day_of_month: monthDay.optional(),
  retry_days: retryDays.default(() => RETRY_DAYS),
});

/** The parameters of a schedule, read. */
export type ScheduleTerms = z.output<typeof termsSchema>;

/** The fields that each delay of the first payment needs; no other delay may have them. */
const NEEDED: Readonly<Record<(typeof FIRST_DELAYS)[number], readonly (keyof ScheduleTerms)[]>> = {
  none: [],
  delay_by_interval: ['first_payment_interval_length', 'first_payment_interval_unit'],
  day_of_week: ['first_payment_day_of_week'],
  day_of_month: ['first_payment_day_of_month'],
};

/** The issues between the parameters of a schedule. */
export function termsIssues(terms: ScheduleTerms): Issue[] {
  const issues: Issue[] = [];
  if (terms.day_of_month !== undefined && terms.interval_unit !== 'month')
    issues.push(issue('day_of_month', TEXTS.onlyFor('interval_unit month')));
  for (const delay of FIRST_DELAYS)
    for (const field of NEEDED[delay]) {
      const isNeeded = terms.delayed_first_payment === delay;
      if (isNeeded && terms[field] === undefined) issues.push(issue(field, TEXTS.blank));
      if (!isNeeded && terms[field] !== undefined)
        issues.push(issue(field, TEXTS.onlyFor(`delayed_first_payment ${delay}`)));
    }
  return issues;
}

/** Changes of terms. A term that is absent does not change. */
export type TermChanges = { readonly [Name in keyof ScheduleTerms]?: ScheduleTerms[Name] | undefined };

/** The terms with changes; what only the delay before them had goes with it. */
export function changedTerms(terms: ScheduleTerms, changes: TermChanges): ScheduleTerms {
  const changed = { ...terms };
  Object.assign(changed, changes);
  for (const delay of FIRST_DELAYS)
    if (delay !== changed.delayed_first_payment)
      for (const field of NEEDED[delay]) if (changes[field] === undefined) delete changed[field];
  if (changed.interval_unit !== 'month' && changes.day_of_month === undefined) delete changed.day_of_month;
  return changed;
}
