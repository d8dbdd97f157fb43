import { TEXTS } from '@railyard/core';
import { type Issue, issue, type SessionRequest } from '@railyard/core/protocol';
import * as z from 'zod';
import type { Merchant } from '../merchants/directory.ts';
import { isPaused, type MerchantScope, type Schedule, type Stores } from '../storage/index.ts';
import { type ClockDeps, merchantDay } from './merchant-day.ts';

interface ScheduleDeps extends ClockDeps {
  readonly stores: Pick<Stores, 'schedules' | 'testClocks'>;
}

/** The merchant's schedule; none for what is no id. */
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
