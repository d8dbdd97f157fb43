import type { Log } from '../../log/log.ts';
import type { Payment, QueueName, SentCallback } from '../../storage/index.ts';
import type { PaymentStateDeps } from '../deps.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Needed for what operators do by command, beside a running service or without one. */
export type OperatorDeps = TransitionDeps;

/** A request may wait this long in the queue of a payment; then it is answered that it may come again. */
const PATIENCE_MS = 15_000;
/** The first wait after a conflict lasts up to this long, each further one up to twice as long, and none longer than LONGEST_MS. */
const FIRST_MS = 4;
const LONGEST_MS = 250;

/** So many others change the payment that its place in the queue did not come in time. This change was not made. */
export class PaymentBusyError extends Error {
  override readonly name = 'PaymentBusyError';

  constructor(paymentId: string) {
    super(`Payment ${paymentId} is being changed by too many others.`);
  }
}

/**
 * Changes of one payment in this process, one after the other. They do not prevent lost changes; that is the task of the
 * version, which a write checks; in a queue they do not read and decide in vain.
 */
export interface PaymentQueues {
  /** Does the work when those who asked before are done. A change within the change of the same payment does not wait for itself. */
  of<T>(paymentId: string, work: () => Promise<T>): Promise<T>;
}

export function paymentQueues(): PaymentQueues {
  const last = new Map<string, Promise<unknown>>();
  const held = new AsyncLocalStorage<ReadonlySet<string>>();
  return {
    async of(paymentId, work) {
      const mine = held.getStore() ?? new Set<string>();
      if (mine.has(paymentId)) return work();
      const before = last.get(paymentId);
      const done = (before ?? Promise.resolve()).then(() => held.run(new Set([...mine, paymentId]), work));
      const over = done.catch(() => undefined);
      last.set(paymentId, over);
      try {
        return await done;
      } finally {
        if (last.get(paymentId) === over) last.delete(paymentId);
      }
    },
  };
}

interface Patience {
  readonly random?: () => number;
  /** Milliseconds that never go back. */
  readonly monotonic?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Attempts of reading, deciding and writing: where another process was faster, the next attempt comes after a wait that differs from
 * the waits of the others.
 *
 * @param attempt undefined: it could not write, see `decideAndWrite`
 * @throws PaymentBusyError when no attempt could write in time
 */
export async function untilWritten<T>(
  paymentId: string,
  attempt: () => Promise<T | undefined>,
  { random = Math.random, monotonic = () => performance.now(), wait = (ms) => sleep(ms) }: Patience = {},
): Promise<T> {
  const until = monotonic() + PATIENCE_MS;
  for (let most = FIRST_MS; ; most = Math.min(2 * most, LONGEST_MS)) {
    const written = await attempt();
    if (written !== undefined) return written;
    if (monotonic() >= until) throw new PaymentBusyError(paymentId);
    await wait(random() * most);
  }
}

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
  /** An attempt of a payer at one of these addresses was declined. Absent where a command changes payments. */
  readonly countDecline?: (payment: Payment, addresses: readonly (string | undefined)[]) => void;
  /** Wakes waiting pages and workers: a payment has changed. */
  readonly changed: (paymentId: string) => void;
  /** A command has none: the service finds its callbacks. */
  readonly courier?: Courier;
  /** Work of this kind is due, now or in so many milliseconds. */
  readonly wake: (work: QueueName, inMs?: number) => void;
}

/** The subject of an unsigned notification: a provider's reference at a MID. */
export interface HintKey {
  readonly connectorId: string;
  readonly midId: string;
  readonly providerReference: string;
}

/** Hints that came before the reply that has their reference. */
export interface UnmatchedHints {
  keep(hint: HintKey): void;
  /** Whether there was such a hint; it is gone then. */
  take(hint: HintKey): boolean;
}

/** Anybody can send hints, so that only so many are kept, and none that is longer than an id. */
const MOST = 1000;
const LONGEST = 256;

/**
 * Kept in memory, the oldest given up first: a hint that is lost, or that came to another process, costs no more than the time until
 * the next lookup.
 */
export function unmatchedHints(): UnmatchedHints {
  const hints = new Set<string>();
  const keyOf = ({ connectorId, midId, providerReference: reference }: HintKey) =>
    JSON.stringify([connectorId, midId, reference]);
  return {
    keep(hint) {
      if (hint.providerReference.length > LONGEST) return;
      hints.add(keyOf(hint));
      const [oldest] = hints;
      if (hints.size > MOST && oldest !== undefined) hints.delete(oldest);
    },
    take: (hint) => hints.delete(keyOf(hint)),
  };
}
