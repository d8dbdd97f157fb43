import type { Log } from '../../log/log.ts';
import type { QueueName } from '../../storage/queue-name.ts';
import type { PaymentStateDeps } from '../state/deps.ts';
import type { PaymentQueues } from './contention.ts';
import type { UnmatchedHints } from './unmatched-hints.ts';

/** Needed to decide and write a change of a payment; a command has no others. */
export interface TransitionDeps extends PaymentStateDeps {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
  /** Unsigned notifications about references that no payment has yet. */
  readonly unmatchedHints: UnmatchedHints;
  /** Changes of one payment come one after the other. */
  readonly queues: PaymentQueues;
  /** Wakes waiting pages and workers: a payment has changed. */
  readonly changed: (paymentId: string) => void;
  /** Work of this kind is due, now or in so many milliseconds. */
  readonly wake: (work: QueueName, inMs?: number) => void;
}
