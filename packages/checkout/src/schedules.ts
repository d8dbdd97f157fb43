import {
  changedTerms,
  issue,
  type Day,
  type Issue,
  type Pause,
  type ScheduleTerms,
  type SessionRequest,
  type TermChanges,
  type TermsSince,
} from '@railyard/core/protocol';
import type { Merchant } from './merchants/directory.ts';
import { isPaused, type MerchantScope, type Schedule, type Stores } from './storage/index.ts';
import { dayAt, startOfDay } from './deployment/time-zones.ts';
import { TEXTS } from '@railyard/core';
import * as z from 'zod';

/** The terms of a schedule as they are now. */
export function termsOf({ history }: Pick<Schedule, 'history'>): ScheduleTerms {
  const last = history.at(-1);
  if (last === undefined) throw new Error('A schedule has terms.');
  return last.terms;
}

/** A schedule whose terms change. The due days of today stay. New terms count from tomorrow on. Of several changes on one day the last counts. */
export function withTerms(schedule: Schedule, changes: TermChanges, today: Day): Schedule {
  const since: TermsSince = { after: today, terms: changedTerms(termsOf(schedule), changes) };
  return { ...schedule, history: [...schedule.history.filter(({ after }) => after !== today), since] };
}

/** With a pause from today on. A pause that has begun goes on. */
export const paused = (pauses: readonly Pause[], today: Day): readonly Pause[] =>
  isPaused(pauses) ? pauses : [...pauses, { after: today }];

/** With the pause ended. A pause that began today leaves no day out. */
export const resumed = (pauses: readonly Pause[], today: Day): readonly Pause[] =>
  pauses.flatMap((pause) => {
    if (pause.until !== undefined) return [pause];
    return pause.after >= today ? [] : [{ ...pause, until: today }];
  });

/** Needed to know what time it is for a merchant. */
export interface ClockDeps {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly stores: Pick<Stores, 'testClocks'>;
}

/**
 * The present for the schedules of a merchant, of test payments by their test clock: the one place that every "now" of theirs comes from. It is
 * read each time, because another process may have moved it. Milliseconds since 1970.
 */
export const merchantNow = async (
  { now, stores }: ClockDeps,
  { merchantKey, test }: Pick<MerchantScope, 'merchantKey' | 'test'>,
): Promise<number> => now() + (test ? await stores.testClocks.aheadMs(merchantKey) : 0);

/** The day that it is for them, in the merchant's time zone. */
export const merchantDay = async (context: ClockDeps, scope: MerchantScope, { config }: Merchant): Promise<Day> =>
  dayAt(await merchantNow(context, scope), config.timeZone);

/** A merchant's time. `ahead` of the test clock was read together with the rows that are decided by it, because a move of the clock changes both. */
interface KnownTime {
  readonly now: () => number;
  readonly aheadMs: number;
  readonly merchant: Merchant;
}

/** The day that it is then, in the merchant's time zone. */
export const knownDay = ({ now, aheadMs, merchant: { config } }: KnownTime): Day =>
  dayAt(now() + aheadMs, config.timeZone);

/** How long it is until a day begins; 0 where it has begun. */
export const msUntil = ({ now, aheadMs, merchant: { config } }: KnownTime, day: Day): number =>
  Math.max(0, startOfDay(day, config.timeZone) - now() - aheadMs);

/** The kinds of work that wait for a time, which a test clock moves. */
export const MOVED = ['expiry', 'lookups', 'modification-lookups', 'callbacks', 'schedules'] as const;

interface ScheduleDeps extends ClockDeps {
  readonly stores: Pick<Stores, 'schedules' | 'testClocks'>;
}

/** The merchant's schedule; none for a text that is no id. */
export async function namedSchedule(
  { stores }: { readonly stores: Pick<Stores, 'schedules'> },
  scope: MerchantScope,
  schedule_id: string,
): Promise<Schedule | undefined> {
  if (!z.uuid().safeParse(schedule_id).success) return undefined;
  return stores.schedules.find(scope, schedule_id.toLowerCase());
}

/** No text is published for it. */
const PAUSED = 'The schedule is paused. Send RUN_SCHEDULE first.';

/**
 * Why a payment cannot begin a schedule: it must be the merchant's, and not be paused (reference: PAUSE_SCHEDULE); a day that is over where the
 * merchant is, or by their test clock, cannot be the first.
 */
export async function unusableSchedule(
  context: ScheduleDeps,
  { scope, merchant }: { readonly scope: MerchantScope; readonly merchant: Merchant },
  { schedule_id, schedule_start_date: start }: Pick<SessionRequest, 'schedule_id' | 'schedule_start_date'>,
): Promise<readonly Issue[]> {
  if (schedule_id === undefined) return [];
  const schedule = await namedSchedule(context, scope, schedule_id);
  if (schedule === undefined) return [issue('schedule_id', TEXTS.notCorrect)];
  if (isPaused(schedule.pauses)) return [issue('schedule_id', PAUSED)];
  const today = start === undefined ? undefined : await merchantDay(context, scope, merchant);
  return start !== undefined && today !== undefined && start < today
    ? [issue('schedule_start_date', TEXTS.atLeast(today))]
    : [];
}
