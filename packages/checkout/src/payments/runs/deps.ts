import type { CardDeps } from '../../cards/vault.ts';
import type { ParsedConfig } from '../../deployment/config.ts';
import type { SessionDeps } from '../../sessions/deps.ts';
import type { TransitionDeps } from '../change/deps.ts';
import type { Db, RunLease, SqlClock } from '../../storage/index.ts';
import type { Credentials, Host } from '@railyard/runtime';
import type { LogLine } from '../../log/log.ts';
import type { Breakers } from './breakers.ts';

/** Needed to build an attempt and to hold its run. */
export interface AttemptDeps extends TransitionDeps, SessionDeps, CardDeps {
  readonly config: ParsedConfig;
  /** Which process executes a run. */
  readonly owner: string;
  /** The runs that this process executes or will execute again. */
  readonly underWay: RunsUnderWay;
}

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

/** Needed to ask providers and to apply what they report; a part that is given back begins an operation. */
export type LookupDeps = OperationDeps;

/** Needed to pay, charge, pay out, capture and refund: each begins a run. */
export type OperationDeps = RunDeps;

/** Needed to execute runs. */
export interface RunDeps extends AttemptDeps {
  readonly db: Db;
  readonly sqlClock: SqlClock;
  /** How requests to the accounts leave. */
  readonly breakers: Breakers;
  readonly credentials: Credentials;
  readonly logCall: (line: LogLine) => void;
  /** Counts what replies have that their connectors do not declare. */
  readonly drift: NonNullable<Host['drift']>;
}
