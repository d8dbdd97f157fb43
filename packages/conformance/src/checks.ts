import type { Check } from './check.ts';
import { crashChecks } from './checks/crash.ts';

/** Every check under its subject, in the order in which they run: what a connector declares first, how it behaves afterwards. */
export const SUBJECTS: Readonly<Record<string, readonly Check[]>> = {
  crash: crashChecks,
};
