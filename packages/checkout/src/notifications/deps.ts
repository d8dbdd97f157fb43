import type { LookupDeps } from '../payments/lookups/deps.ts';

/** Needed to take providers' notifications. */
export type NotificationDeps = LookupDeps;
