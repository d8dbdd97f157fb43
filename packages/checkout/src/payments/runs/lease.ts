import type { AttemptDeps } from './deps.ts';
import type { HeldRun } from '../../storage/index.ts';

/** How long a process that executes a run may give no sign of life before another one takes over; longer than any endpoint's deadline. */
export const LEASE_MS = 60_000;
/** How often a process gives a sign of life for its runs, and scans those of others. */
export const PULSE_MS = 5000;

/**
 * Watches the runs that this process does not execute. A holder is gone when its run showed no sign of life for `LEASE_MS` by this
 * process's own monotonic clock: wall clocks may step, and those of two machines differ.
 *
 * The time between two scans counts for two pulses at most: a process that was paused itself, or whose database was away, has
 * not seen that another process was silent.
 */
export function createWatch(monotonic: () => number) {
  let seen = new Map<string, { readonly sign: string; readonly silentMs: number }>();
  let last = monotonic();
  return {
    /** @returns those whose holders are gone */
    scan<R extends HeldRun>(held: readonly R[]): R[] {
      const now = monotonic();
      const passed = Math.min(now - last, 2 * PULSE_MS);
      last = now;
      const before = seen;
      seen = new Map(
        held.map(({ runId, leaseOwner, leaseEpoch, beats }) => {
          const sign = `${leaseOwner} ${leaseEpoch} ${beats}`;
          const known = before.get(runId);
          return [runId, { sign, silentMs: known?.sign === sign ? known.silentMs + passed : 0 }];
        }),
      );
      return held.filter(({ runId }) => (seen.get(runId)?.silentMs ?? 0) >= LEASE_MS);
    },
  };
}

export type Watch = ReturnType<typeof createWatch>;

/** Gives a sign of life for the runs that this process executes, and frees those whose process is gone. */
export async function pulse(
  context: Pick<AttemptDeps, 'stores' | 'owner' | 'underWay' | 'log' | 'wake'>,
  watch: Watch,
): Promise<void> {
  const { stores, owner, underWay, log, wake } = context;
  const mine = underWay.ids();
  if (mine.length > 0) await stores.runs.beat(owner, mine, LEASE_MS);
  underWay.check();
  // Its own runs have just given a sign. A run of its own that it does not execute failed for a reason of ours: it is as silent as that of a
  // process that is gone.
  const gone = watch.scan(await stores.runs.held());
  if (gone.length === 0) return;
  const runs = await stores.runs.abandon(gone);
  if (runs === 0) return;
  log.warn({ event: 'runs-abandoned', rows: runs });
  wake('runs');
}

/** Does so again and again. A database that is away is reported by other work; the next pulse comes anyway. */
export function startPulse(context: Parameters<typeof pulse>[0], watch: Watch, everyMs: number) {
  let beating: Promise<void> | undefined;
  const timer = setInterval(() => {
    beating ??= pulse(context, watch)
      .catch(() => undefined)
      .finally(() => (beating = undefined));
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await beating;
    },
  };
}
