import { TEXTS } from '@railyard/core';
import { type Issue, issue, type SessionRequest } from '@railyard/core/protocol';
import * as z from 'zod';
import { isPaused, type MerchantScope, type Schedule, type Stores } from '../storage/index.ts';

interface ScheduleDeps {
  readonly stores: Pick<Stores, 'schedules'>;
}

/** The merchant's schedule; none for what is no id. */
export async function namedSchedule(
  { stores }: ScheduleDeps,
  scope: MerchantScope,
  schedule_id: string,
): Promise<Schedule | undefined> {
  if (!z.uuid().safeParse(schedule_id).success) return undefined;
  return stores.schedules.find(scope, schedule_id.toLowerCase());
}

/** No text is published for it. */
const PAUSED = 'The schedule is paused. Send RUN_SCHEDULE first.';

/** Why a payment cannot begin a schedule: it must be the merchant's, and not be paused (reference: PAUSE_SCHEDULE). */
export async function unusableSchedule(
  context: ScheduleDeps,
  scope: MerchantScope,
  { schedule_id }: Pick<SessionRequest, 'schedule_id'>,
): Promise<readonly Issue[]> {
  if (schedule_id === undefined) return [];
  const schedule = await namedSchedule(context, scope, schedule_id);
  if (schedule === undefined) return [issue('schedule_id', TEXTS.notCorrect)];
  return isPaused(schedule.pauses) ? [issue('schedule_id', PAUSED)] : [];
}
