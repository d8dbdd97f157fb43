import type { Log } from '../../log/log.ts';
import type { Payment, SentCallback } from '../../storage/index.ts';
import type { QueueName } from '../../storage/queue-name.ts';
import type { PaymentStateDeps } from '../state/deps.ts';
import type { PaymentQueues } from './contention.ts';
import type { UnmatchedHints } from './unmatched-hints.ts';

/** Sends callbacks from the process that writes them. */
export interface Courier {
  /** A place for a callback to this address; `undefined` where a poll is to find it. */
  reserve(url: string): CourierPlace | undefined;
  /** Whether this process sends a callback of the payment just now: when that has ended it looks for the next one. */
  isSending(paymentId: string): boolean;
}

export interface CourierPlace {
  /** For how long the callback is claimed with its writing. */
  readonly claimMs: number;
  /** Sends it. */
  start(callback: SentCallback): void;
  /** Gives the place back: none was claimed. */
  release(): void;
}

/** Needed to decide and write a change of a payment; a command has no others. */
export interface TransitionDeps extends PaymentStateDeps {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
  /** Unsigned notifications about references that no payment has yet. */
  readonly unmatchedHints: UnmatchedHints;
  /** Changes of one payment come one after the other. */
  readonly queues: PaymentQueues;
  /** An attempt of a payer on a payment page was declined. Absent where a command changes payments. */
  readonly countDecline?: (payment: Payment) => void;
  /** Wakes waiting pages and workers: a payment has changed. */
  readonly changed: (paymentId: string) => void;
  /** A command has none: the service finds its callbacks. */
  readonly courier?: Courier;
  /** Work of this kind is due, now or in so many milliseconds. */
  readonly wake: (work: QueueName, inMs?: number) => void;
}
