import type { Day } from '@railyard/core/protocol';
import type { Merchant } from '../merchants/directory.ts';
import type { MerchantScope, Stores } from '../storage/index.ts';
import { dayAt, startOfDay } from '../deployment/time-zones.ts';

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

/** A merchant's time, where it was read with what is decided by it how far the test clock is ahead: a move of the clock changes that as well. */
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
