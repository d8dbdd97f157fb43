import { type Day, daysAfter } from './days.ts';
import { isWithin, type Pause } from './decide-due.ts';

/** A softly declined charge. Days are counted in the merchant's time zone. */
export interface Tries {
  readonly firstTried: Day;
  /** Of the plan or of the merchant's own: a `RETRY` replaces the tries that were planned until then. */
  readonly lastTried: Day;
}

/**
 * The day on which a softly declined charge is tried again: the first of the plan that comes after the last try, and lies in no pause.
 *
 * @param retryDays days after the first try
 * @returns undefined where the plan is over
 * @example nextTry([1, 3], { firstTried: '2027-01-31', lastTried: '2027-02-01' }, []) // '2027-02-03'
 */
export const nextTry = (
  retryDays: readonly number[],
  { firstTried, lastTried }: Tries,
  pauses: readonly Pause[],
): Day | undefined =>
  retryDays.map((days) => daysAfter(firstTried, days)).find((day) => day > lastTried && !isWithin(pauses, day));
