/** The requests of this process that wait for changes of a payment. */
export interface Changes {
  publish(paymentId: string): void;
  /** Wakes all of them: a change may have been missed. */
  publishAll(): void;
  /** Resolves at the next change of the payment, after the time, or when the signal aborts. */
  next(paymentId: string, withinMs: number, signal: AbortSignal): Promise<void>;
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
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const set = waiting.get(paymentId) ?? new Set();
        waiting.set(paymentId, set);
        const wake = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          set.delete(wake);
          if (set.size === 0) waiting.delete(paymentId);
          resolve();
        };
        const timer = setTimeout(wake, withinMs);
        signal.addEventListener('abort', wake, { once: true });
        set.add(wake);
      });
    },
  };
}
