import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

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
 * Changes of one payment in this process, one after the other. That no change is lost is not their affair but that of the
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
