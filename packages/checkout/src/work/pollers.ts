import type { QueueName } from '../storage/index.ts';
import type { WorkDeps } from './deps.ts';

/** How many items of one kind of work are under way at once in one process. */
export interface Places {
  readonly all: number;
  /** The most of them for one address or provider account, because a hanging one must not hold up the others. */
  readonly perKey: number;
}

/** Four at once are as much as a provider's account is asked beside its payments. */
const USUAL_PLACES: Places = { all: 40, perKey: 4 };

/** A claim for one place costs as much as one for eight: where a key has many, a quarter of them is free first, or so much time has passed. */
const CLAIMED_AT_ONCE = 1 / 4;
const CLAIMED_WITHIN_MS = 50;

/** Polls one kind of background work. Its rows say what is due; a job says that it is time to poll. */
export interface Poller {
  readonly name: QueueName;
  /** Ticks leave it out: who writes such work wakes it, and reconciliation does for a process that died. */
  readonly onlyWoken?: boolean;
  /** Begins everything that is due. */
  poll(): Promise<void>;
  /** Begins no more work and waits for the work under way. */
  stop(): Promise<void>;
}

/** Left out of a claim. */
export interface Busy {
  /** Keys that have as many items under way as they may. */
  readonly keys: readonly string[];
  /** The items that this process works on; their claim may look expired, where a clock was set forward. */
  readonly ids: readonly string[];
}

export interface ItemQueue<T> {
  readonly name: QueueName;
  readonly places?: Places;
  /** Claims due items, except for busy accounts and addresses. Two processes never get the same item. */
  readonly take: (limit: number, busy: Busy) => Promise<readonly T[]>;
  /** A claim that brings less than its limit leaves no due item, except for busy accounts and addresses. */
  readonly isExhaustive?: boolean;
  /** Of items with one such name the next is due when the one before has ended. */
  readonly row?: (item: T) => string;
  readonly id: (item: T) => string;
  /** The key that one slow item shares with others: a callback's address, a payment's MID. */
  readonly key: (item: T) => string;
  /** @returns an item of the same key that is claimed and comes next, or true where its end has made another one due */
  readonly handle: (item: T) => Promise<T | boolean | void>;
  /** There is more than this process can take: another one may help. */
  readonly wakeOthers: () => void;
}

/** A place for an item that is claimed where it is written. */
export interface Reserved<T> {
  /** Begins the item. */
  start(item: T): void;
  /** Gives the place back unused. */
  release(): void;
}

export interface ItemPoller<T> extends Poller {
  /** A place for an item of this key; `undefined` where this process begins no more of them now. */
  reserve(key: string): Reserved<T> | undefined;
  /** Whether an item of this row is under way, which must end first: the end then polls, so that nothing need be woken now. */
  awaitEnd(row: string): boolean;
}

/**
 * Items that wait for merchants or providers. A slow one does not hold up the next; of one key only a few are under way, which
 * leaves the other places to other keys.
 */
export function itemPoller<T extends object>(log: WorkDeps['log'], queue: ItemQueue<T>): ItemPoller<T> {
  const { places = USUAL_PLACES } = queue;
  const underWay = new Map<Promise<void>, Place>();
  let stopped = false;
  /** The keys that the last claim left out, because they were busy. */
  let leftOut: ReadonlySet<string> = new Set();
  const countOf = (key: string) => [...underWay.values()].filter((place) => place.key === key).length;

  const occupy = (key: string): Occupied => {
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    const place: Place = { key };
    underWay.set(left, place);
    return {
      place,
      leave(madeDue = false) {
        underWay.delete(left);
        leave();
        // While the key is as busy as it may be, a claim would bring nothing of it.
        const free = leftOut.has(key) ? places.perKey - countOf(key) : 0;
        // The tick polls if this fails.
        if (free >= places.perKey * CLAIMED_AT_ONCE || madeDue || place.isAwaited === true)
          poll().catch(() => undefined);
        else if (free > 0) pollSoon();
      },
    };
  };

  const start = (item: T, occupied = occupy(queue.key(item))) => {
    const { place, leave } = occupied;
    place.id = queue.id(item);
    // An item that came for it before this one was claimed is seen when the end of this one is recorded.
    const wasAwaited = place.isAwaited === true;
    place.isAwaited = false;
    if (queue.row !== undefined) place.row = queue.row(item);
    void queue
      .handle(item)
      .catch((error: unknown) => {
        log.error({ event: 'work-failed', work: queue.name, key: queue.key(item), error: messageOf(error) });
        return wasAwaited;
      })
      .then((end) => (typeof end === 'object' ? start(end, occupied) : leave(end === true)));
  };

  const startDue = async () => {
    let woken = false;
    while (!stopped) {
      const free = places.all - underWay.size;
      // A claim for one item costs as much as one for several.
      if (free < places.perKey) {
        if (!woken) queue.wakeOthers();
        woken = true;
        await Promise.race(underWay.keys());
        continue;
      }
      const busy = busyNow([...underWay.values()], places.perKey);
      leftOut = new Set(busy.keys);
      const items = await queue.take(places.perKey, busy);
      for (const item of items) start(item);
      if (items.length === 0 || (queue.isExhaustive === true && items.length < places.perKey)) return;
    }
  };

  const { poll, settled } = oneAtATime(async () => {
    if (!stopped) await startDue();
  });
  let soon: NodeJS.Timeout | undefined;
  const pollSoon = () => {
    soon ??= setTimeout(() => {
      soon = undefined;
      poll().catch(() => undefined);
    }, CLAIMED_WITHIN_MS).unref();
  };

  return {
    name: queue.name,
    poll,
    reserve(key) {
      if (stopped || underWay.size >= places.all || countOf(key) >= places.perKey) return undefined;
      const occupied = occupy(key);
      return { start: (item) => start(item, occupied), release: () => occupied.leave() };
    },
    awaitEnd(row) {
      const before = [...underWay.values()].find((place) => place.row === row);
      if (before !== undefined) before.isAwaited = true;
      return before !== undefined;
    },
    async stop() {
      stopped = true;
      await Promise.all([settled(), ...underWay.keys()]);
      clearTimeout(soon);
    },
  };
}

/** One of the places of a process, by the key that it is taken for and the item once that is known. */
interface Place {
  readonly key: string;
  id?: string;
  row?: string;
  /** Another item of the row came while this one was under way. */
  isAwaited?: boolean;
}

interface Occupied {
  readonly place: Place;
  leave(madeDue?: boolean): void;
}

/** Work of our own, which waits for no merchant or provider: batch after batch until nothing is left. */
export function batchPoller(
  name: QueueName,
  batch: () => Promise<number>,
  traits: Pick<Poller, 'onlyWoken'> = {},
): Poller {
  let stopped = false;
  const { poll, settled } = oneAtATime(async () => {
    while (!stopped && (await batch()) > 0);
  });
  return {
    name,
    ...traits,
    poll,
    async stop() {
      stopped = true;
      await settled();
    },
  };
}

/** Polls of which no two are under way at once: calls during one are served by one more. */
function oneAtATime(run: () => Promise<void>) {
  let polling: Promise<void> | undefined;
  let pollAgain = false;
  const runAll = async () => {
    try {
      while (pollAgain) {
        pollAgain = false;
        await run();
      }
    } finally {
      polling = undefined;
    }
  };
  return {
    poll(): Promise<void> {
      pollAgain = true;
      polling ??= runAll();
      return polling;
    },
    settled: () => polling?.catch(() => undefined),
  };
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');

function busyNow(underWay: readonly Place[], perKey: number): Busy {
  const keys = underWay.map(({ key }) => key);
  return {
    keys: [...new Set(keys)].filter((key) => keys.filter((each) => each === key).length >= perKey),
    ids: underWay.flatMap(({ id }) => id ?? []),
  };
}
