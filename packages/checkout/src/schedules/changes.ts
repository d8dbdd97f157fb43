import {
  changedTerms,
  type Day,
  type Pause,
  type ScheduleTerms,
  type TermChanges,
  type TermsSince,
} from '@railyard/core/protocol';
import { isPaused, type Schedule } from '../storage/index.ts';

/** The terms of a schedule as they are now. */
export function termsOf({ history }: Pick<Schedule, 'history'>): ScheduleTerms {
  const last = history.at(-1);
  if (last === undefined) throw new Error('A schedule has terms.');
  return last.terms;
}

/** A schedule whose terms change. The due days of today stay: what is new counts from tomorrow on, and of several changes on one day the last. */
export function withTerms(schedule: Schedule, changes: TermChanges, today: Day): Schedule {
  const since: TermsSince = { after: today, terms: changedTerms(termsOf(schedule), changes) };
  return { ...schedule, history: [...schedule.history.filter(({ after }) => after !== today), since] };
}

/** With a pause that holds from today on; one that holds already goes on. */
export const paused = (pauses: readonly Pause[], today: Day): readonly Pause[] =>
  isPaused(pauses) ? pauses : [...pauses, { after: today }];

/** With the pause ended. A pause that began today leaves no day out. */
export const resumed = (pauses: readonly Pause[], today: Day): readonly Pause[] =>
  pauses.flatMap((pause) => {
    if (pause.until !== undefined) return [pause];
    return pause.after >= today ? [] : [{ ...pause, until: today }];
  });
