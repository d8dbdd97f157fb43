import type { Day } from './days.ts';
import { type Beginning, dueDays, type TermsSince } from './due-days.ts';

/** Which due days are charged that passed while nothing charged them: all, the latest one, or none. */
export const CATCH_UPS = ['all', 'latest', 'none'] as const;

export type CatchUp = (typeof CATCH_UPS)[number];

/** The days of a pause: those after one, up to and with another; without an end it still holds. */
export interface Pause {
  readonly after: Day;
  readonly until?: Day | undefined;
}

/** The facts of a chain when it is looked at. Days are counted in the merchant's time zone. */
export interface Chain {
  readonly history: readonly TermsSince[];
  readonly beginning: Beginning;
  /** Of the schedule and of the chain. */
  readonly pauses: readonly Pause[];
  /** The last day about which it is decided. */
  readonly handled?: Day | undefined;
  /** How many charges the schedule still makes. */
  readonly left: number;
}

/** The result of a due day. `paused`: it lies within a pause. `missed`: nothing charged it in time, and `catchUp` leaves it out. */
export interface DueDecision {
  readonly day: Day;
  readonly result: 'charged' | 'paused' | 'missed';
}

interface Decided {
  /** In the order of the days. */
  readonly due: readonly DueDecision[];
  /** The next due day after today; absent where no charge is left. */
  readonly next?: Day;
}

export const isWithin = (pauses: readonly Pause[], day: Day): boolean =>
  pauses.some(({ after, until }) => day > after && (until === undefined || day <= until));

/**
 * Decides about the days that have come due. A due day is in time as long as it lasts; after it, `catchUp` decides. What is skipped does not count
 * as one of the schedule's payments. During a pause nothing is charged, and days that came due before the pause wait for its end.
 */
export function decideDue(chain: Chain, today: Day, catchUp: CatchUp): Decided {
  const { pauses, handled = '' } = chain;
  if (chain.left <= 0) return { due: [] };
  const isPaused = pauses.some(({ until }) => until === undefined);
  const come: Day[] = [];
  let next: Day | undefined;
  for (const day of dueDays(chain.history, chain.beginning)) {
    if (day > today) {
      next = day;
      break;
    }
    if (day > handled) come.push(day);
  }
  const open = come.filter((day) => !isWithin(pauses, day));
  if (isPaused && open.length > 0) return { due: [], ...(next && { next }) };
  const charged = new Set(toCharge(open, today, catchUp).slice(0, chain.left));
  // Nothing is said of days after the last charge.
  const isOver = charged.size === chain.left;
  const end = isOver ? [...charged].at(-1) : undefined;
  const due = (end === undefined ? come : come.filter((day) => day <= end)).map((day): DueDecision => ({
    day,
    result: charged.has(day) ? 'charged' : isWithin(pauses, day) ? 'paused' : 'missed',
  }));
  return { due, ...(!isOver && next !== undefined && { next }) };
}

function toCharge(open: readonly Day[], today: Day, catchUp: CatchUp): readonly Day[] {
  if (catchUp === 'all') return open;
  return catchUp === 'latest' ? open.slice(-1) : open.filter((day) => day === today);
}
