import type { RunLease } from '../../storage/index.ts';

/** A run that its process executes once more after a while. */
export interface WaitingRun {
  readonly lease: RunLease;
  /** The account that its calls go to. */
  readonly midId: string;
}

/**
 * The runs that this process holds: those that it executes, and those that it will execute again. It gives signs of life for them,
 * and never takes one of them from itself, whatever a clock says.
 */
export interface RunsUnderWay {
  /** The run is executed until `drive` is over. */
  during<T>(runId: string, execute: () => Promise<T>): Promise<T>;
  /** Keeps a run to execute it again in so many milliseconds. */
  keep(run: WaitingRun, inMs: number): void;
  /** Hands out runs whose time to be executed again has come, the longest due first, except those of busy accounts. */
  takeDue(limit: number, busyMids: readonly string[]): WaitingRun[];
  /** The ids of all of them. */
  ids(): string[];
  /** Has `poll` called whenever one has become due. */
  whenDue(poll: () => void): void;
  /** Calls it now if one is due. */
  check(): void;
  /** Lets go of those that wait. */
  stop(): void;
}

interface PlannedRun {
  readonly run: WaitingRun;
  readonly dueAt: number;
  readonly timer: NodeJS.Timeout;
}

/** @param monotonic milliseconds that never go back and never jump */
export function runsUnderWay(monotonic: () => number): RunsUnderWay {
  const executing = new Map<string, number>();
  const waiting = new Map<string, PlannedRun>();
  let poll: () => void = () => undefined;
  const dueNow = (busyMids: readonly string[] = []) => {
    const now = monotonic();
    return [...waiting.values()]
      .filter(({ run, dueAt }) => dueAt <= now && !busyMids.includes(run.midId))
      .toSorted((a, b) => a.dueAt - b.dueAt);
  };
  const forget = (runId: string) => {
    clearTimeout(waiting.get(runId)?.timer);
    waiting.delete(runId);
  };
  return {
    async during(runId, execute) {
      executing.set(runId, (executing.get(runId) ?? 0) + 1);
      try {
        return await execute();
      } finally {
        const left = (executing.get(runId) ?? 1) - 1;
        if (left === 0) executing.delete(runId);
        else executing.set(runId, left);
      }
    },
    keep(run, inMs) {
      forget(run.lease.runId);
      // A timer may be a fraction of a millisecond early.
      const timer = setTimeout(() => poll(), inMs + 2).unref();
      waiting.set(run.lease.runId, { run, dueAt: monotonic() + inMs, timer });
    },
    takeDue(limit, busyMids) {
      const due = dueNow(busyMids).slice(0, limit);
      for (const { run } of due) forget(run.lease.runId);
      return due.map(({ run }) => run);
    },
    ids: () => [...new Set([...executing.keys(), ...waiting.keys()])],
    whenDue: (next) => (poll = next),
    check() {
      if (dueNow().length > 0) poll();
    },
    stop() {
      for (const runId of waiting.keys()) forget(runId);
    },
  };
}
