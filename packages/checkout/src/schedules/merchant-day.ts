import type { Day } from '@railyard/core/protocol';
import type { Merchant } from '../merchants/directory.ts';
import type { MerchantScope } from '../storage/index.ts';
import { dayAt, startOfDay } from '../deployment/time-zones.ts';

/** Needed to know what time it is for a merchant. */
interface ClockDeps {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The present for the schedules of a merchant, live or test: the one place that every "now" of theirs comes from. Milliseconds since 1970. */
export const merchantNow = ({ now }: ClockDeps, _scope: MerchantScope): number => now();

/** The day that it is for them, in the merchant's time zone. */
export const merchantDay = (context: ClockDeps, scope: MerchantScope, { config }: Merchant): Day =>
  dayAt(merchantNow(context, scope), config.timeZone);

/** How long it is until a day begins for them; 0 where it has begun. */
export const msUntil = (context: ClockDeps, scope: MerchantScope, { config }: Merchant, day: Day): number =>
  Math.max(0, startOfDay(day, config.timeZone) - merchantNow(context, scope));
