import { type DriftCount, type DriftLedger, driftLine, keyOf, MORE, together } from '@railyard/runtime';
import type { Log } from '../log/log.ts';
import { DatabaseUnavailableError, type Stores } from '../storage/index.ts';
import { messageOf } from './pollers.ts';

/** A process that is killed loses what it counted since. */
const EVERY_MS = 60_000;

/** Writes what a process counts of the drift of replies: apart from payments, and nothing while nothing is counted. */
export interface DriftKeeper {
  /** Writes what was counted up to now. Never fails: what could not be written is counted again. */
  flush(): Promise<void>;
  /** Writes the rest. */
  stop(): Promise<void>;
}

interface Keeping {
  readonly ledger: DriftLedger;
  readonly stores: Pick<Stores, 'drift'>;
  readonly log: Log;
}

export function keepDrift({ ledger, stores, log }: Keeping): DriftKeeper {
  const lines = driftLines();
  const write = async (isLast: boolean) => {
    const counts = ledger.take();
    if (counts.length > 0)
      try {
        await stores.drift.add(counts, MORE);
      } catch (error) {
        ledger.putBack(counts);
        if (!(error instanceof DatabaseUnavailableError) || isLast)
          log.error({ event: 'work-failed', work: 'drift', error: messageOf(error) });
        return;
      }
    for (const count of lines.due(counts, isLast)) log.info(driftLine(count));
  };
  // One after another, so that what is put back is in the next.
  let writing = Promise.resolve();
  const flush = (isLast = false) => (writing = writing.then(() => write(isLast)));
  const timer = setInterval(() => void flush(), EVERY_MS).unref();
  return {
    flush: () => flush(),
    stop() {
      clearInterval(timer);
      return flush(true);
    },
  };
}

/**
 * Which counts the log has: each when it is first seen, whenever it has doubled since, and at the end. Their sum is the count, and a sighting with
 * every payment makes few lines.
 */
function driftLines() {
  const waiting = new Map<string, DriftCount>();
  const logged = new Map<string, number>();
  return {
    *due(counts: readonly DriftCount[], isLast: boolean): Generator<DriftCount> {
      for (const count of counts) {
        const key = keyOf(count);
        const before = waiting.get(key);
        waiting.set(key, before === undefined ? count : together(before, count));
      }
      for (const [key, count] of waiting) {
        const already = logged.get(key) ?? 0;
        if (!isLast && count.seen < already) continue;
        logged.set(key, already + count.seen);
        waiting.delete(key);
        yield count;
      }
    },
  };
}
