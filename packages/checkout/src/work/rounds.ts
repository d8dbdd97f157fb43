import type { RoundName } from '../storage/round-name.ts';
import type { WorkDeps } from './deps.ts';

/** Items under way at once, of one kind of work in one process. */
const AT_ONCE = 40;
/** Of these for one address or provider account; one that hangs must not hold up the others. */
const PER_KEY = 4;

/** A kind of background work. Its rows say what is due; a job says that it is time to look. */
export interface Round {
  readonly name: RoundName;
  /** Begins everything that is due. */
  look(): Promise<void>;
  /** Begins nothing more and waits for what is under way. */
  stop(): Promise<void>;
}

/** Left out of a claim. */
export interface Busy {
  /** Keys that have as many items under way as they may. */
  readonly keys: readonly string[];
  /** The items that this process works on; their claim may look over, where a clock was set forward. */
  readonly ids: readonly string[];
}

export interface ItemWork<T> {
  readonly name: RoundName;
  /** Claims what is due, except for what is busy: two processes never get the same item. */
  readonly take: (limit: number, busy: Busy) => Promise<readonly T[]>;
  readonly id: (item: T) => string;
  /** The key that one slow item shares with others: a callback's address, a payment's MID. */
  readonly key: (item: T) => string;
  readonly handle: (item: T) => Promise<void>;
  /** There is more than this process can take: another one may help. */
  readonly share: () => void;
}

/**
 * Items that wait for merchants or providers. A slow one does not hold up the next; of one key only a few are under way, which
 * leaves the other places to other keys.
 */
export function itemRound<T>(log: WorkDeps['log'], work: ItemWork<T>): Round {
  const underWay = new Map<Promise<void>, { readonly key: string; readonly id: string }>();
  let looking: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  const begin = (item: T) => {
    const done = work
      .handle(item)
      .catch((error: unknown) => {
        log.error({ event: 'work-failed', work: work.name, key: work.key(item), error: messageOf(error) });
      })
      .finally(() => {
        underWay.delete(done);
        // Its place and its key are free, and a callback's end makes the next one of its payment due. The tick looks if this fails.
        look().catch(() => undefined);
      });
    underWay.set(done, { key: work.key(item), id: work.id(item) });
  };

  const beginDue = async () => {
    let shared = false;
    while (!stopped) {
      const free = AT_ONCE - underWay.size;
      // A claim for one item costs as much as one for several.
      if (free < PER_KEY) {
        if (!shared) work.share();
        shared = true;
        await Promise.race(underWay.keys());
        continue;
      }
      const items = await work.take(PER_KEY, busyNow([...underWay.values()]));
      for (const item of items) begin(item);
      if (items.length === 0) return;
    }
  };

  const run = async () => {
    try {
      while (again && !stopped) {
        again = false;
        await beginDue();
      }
    } finally {
      looking = undefined;
    }
  };

  /** Calls during a look are served by it. */
  function look(): Promise<void> {
    again = true;
    looking ??= run();
    return looking;
  }

  return {
    name: work.name,
    look,
    async stop() {
      stopped = true;
      await Promise.all([looking?.catch(() => undefined), ...underWay.keys()]);
    },
  };
}

/** Work of our own, which waits for no merchant or provider: batch after batch until nothing is left. */
export function batchRound(name: RoundName, batch: () => Promise<number>): Round {
  let stopped = false;
  let looking: Promise<void> = Promise.resolve();
  const run = async () => {
    while (!stopped && (await batch()) > 0);
  };
  return {
    name,
    look: () => (looking = run()),
    async stop() {
      stopped = true;
      await looking.catch(() => undefined);
    },
  };
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');

function busyNow(underWay: readonly { readonly key: string; readonly id: string }[]): Busy {
  const keys = underWay.map(({ key }) => key);
  return {
    keys: [...new Set(keys)].filter((key) => keys.filter((each) => each === key).length >= PER_KEY),
    ids: underWay.map(({ id }) => id),
  };
}
