/** When things happen later. Tasks must not throw. */
export interface Scheduler {
  /** Runs the task after some milliseconds; the answer takes it off again. */
  after(ms: number, task: () => void): () => void;
}

/** Timers of the machine. */
export function timers(): Scheduler {
  return {
    after(ms, task) {
      const timer = setTimeout(task, ms);
      // A delay alone keeps no process alive.
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}

/** A clock and a scheduler that move only on request, for tests without waiting. */
export interface ManualTime {
  readonly clock: () => number;
  readonly scheduler: Scheduler;
  /** Moves the clock on and runs what falls due, in order. */
  advance(ms: number): void;
}

/** @example const time = manualTime(Date.parse('2026-11-21T12:00:00Z')); time.advance(3000); */
export function manualTime(start: number): ManualTime {
  let now = start;
  let waiting: { readonly at: number; readonly task: () => void }[] = [];
  return {
    clock: () => now,
    scheduler: {
      after(ms, task) {
        const entry = { at: now + ms, task };
        waiting.push(entry);
        return () => {
          waiting = waiting.filter((each) => each !== entry);
        };
      },
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const next = waiting.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        waiting = waiting.filter((each) => each !== next);
        now = Math.max(now, next.at);
        next.task();
      }
      now = end;
    },
  };
}
