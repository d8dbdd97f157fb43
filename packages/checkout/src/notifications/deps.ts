import type { LookupDeps } from '../payments/lookups/deps.ts';
import type { Questions } from './questions.ts';

/** Needed to take providers' notifications. */
export interface NotificationDeps extends LookupDeps {
  /** How providers are asked whether they sent one. */
  readonly questions: Questions;
}
