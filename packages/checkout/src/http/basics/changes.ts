/** The requests of this process that wait for changes of a payment. */
export interface Changes {
  publish(paymentId: string): void;
  /** Wakes all of them: a change may have been missed. */
  publishAll(): void;
  /** Resolves at the next change of the payment, after the time, or when the signal aborts, and says which. */
  next(paymentId: string, withinMs: number, signal: AbortSignal): Promise<'change' | 'time' | 'aborted'>;
}

export function createChanges(): Changes {
  const waiting = new Map<string, Set<() => void>>();
  return {
    publish(paymentId) {
      for (const wake of waiting.get(paymentId) ?? []) wake();
    },
    publishAll() {
      for (const wake of [...waiting.values()].flatMap((wakes) => [...wakes])) wake();
    },
    next(paymentId, withinMs, signal) {
      // An aborted signal fires no further event.
      if (signal.aborted) return Promise.resolve('aborted');
      return new Promise((resolve) => {
        const set = waiting.get(paymentId) ?? new Set();
        waiting.set(paymentId, set);
        const end = (why: 'change' | 'time' | 'aborted') => {
          clearTimeout(timer);
          signal.removeEventListener('abort', abort);
          set.delete(wake);
          if (set.size === 0) waiting.delete(paymentId);
          resolve(why);
        };
        const wake = () => end('change');
        const abort = () => end('aborted');
        const timer = setTimeout(() => end('time'), withinMs);
        signal.addEventListener('abort', abort, { once: true });
        set.add(wake);
      });
    },
  };
}
