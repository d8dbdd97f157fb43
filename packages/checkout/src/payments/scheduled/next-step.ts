import { type CatchUp, type Day, decideDue, nextTry } from '@railyard/core/protocol';
import { termsOf } from '../../schedules/changes.ts';
import { type ChainFacts, isPaused, type SoftDecline } from '../../storage/index.ts';

/** The next thing to do for a chain. */
export type Step =
  /** A softly declined charge is tried again. */
  | { readonly kind: 'retry'; readonly declined: SoftDecline }
  | { readonly kind: 'charge'; readonly day: Day }
  | { readonly kind: 'skip'; readonly day: Day; readonly state: 'paused' | 'missed' }
  /** Nothing until a day begins; without one nothing by itself. */
  | { readonly kind: 'wait'; readonly until?: Day | undefined };

/** Decides what is done next for a chain: tries of charges before new ones, and these in the order of their days. */
export function nextStep(
  { chain, schedule, charged, handled, declined }: ChainFacts,
  today: Day,
  catchUp: CatchUp,
): Step {
  if (chain.endedAt !== null) return { kind: 'wait' };
  const { retry_days, payments_count } = termsOf(schedule);
  const pauses = [...schedule.pauses, ...chain.pauses];
  const tries = declined.flatMap((each) => {
    const day = nextTry(retry_days, each, pauses);
    return day === undefined ? [] : [{ day, declined: each }];
  });
  const retry = isPaused(pauses) ? undefined : tries.find(({ day }) => day <= today);
  if (retry !== undefined) return { kind: 'retry', declined: retry.declined };
  const beginning = { began: chain.began, startDate: chain.startDate ?? undefined };
  const left = payments_count - charged;
  const { due, next } = decideDue({ history: schedule.history, beginning, pauses, handled, left }, today, catchUp);
  const [first] = due;
  if (first?.result === 'charged') return { kind: 'charge', day: first.day };
  if (first !== undefined) return { kind: 'skip', day: first.day, state: first.result };
  const [until] = [...(next === undefined ? [] : [next]), ...tries.map(({ day }) => day)]
    .filter((day) => day > today)
    .toSorted();
  return { kind: 'wait', until };
}
