import type { ServiceContext } from '../service-context.ts';
import type { Work } from './workers.ts';

/** Items under way at once, of one kind of work in one process. */
const AT_ONCE = 40;
/** Of these for one address or provider account; one that hangs must not hold up the others. */
const PER_KEY = 4;

export interface PooledWork<T, C = ServiceContext> {
  readonly name: string;
  readonly everyMs: number;
  /** Claims what is due, except for keys that are busy. */
  readonly take: (context: C, limit: number, busy: readonly string[]) => Promise<readonly T[]>;
  /** What one slow item shares with others: a callback's address, a payment's MID. */
  readonly key: (item: T) => string;
  readonly handle: (context: C, item: T) => Promise<void>;
}

/**
 * Work whose items wait for somebody else. A slow one does not hold up the next; of one key only a few are under way, so that
 * the rest is left to the others.
 */
export function pooled<T, C extends Pick<ServiceContext, 'log'> = ServiceContext>(work: PooledWork<T, C>): Work<C> {
  const underWay = new Map<Promise<void>, string>();
  const begin = (context: C, item: T) => {
    const done = work
      .handle(context, item)
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : 'unknown';
        context.log.error({ event: 'work-failed', work: work.name, key: work.key(item), error: why });
      })
      .finally(() => underWay.delete(done));
    underWay.set(done, work.key(item));
  };
  return {
    name: work.name,
    everyMs: work.everyMs,
    async run(context) {
      const free = AT_ONCE - underWay.size;
      if (free <= 0) return 0;
      const items = await work.take(context, Math.min(free, PER_KEY), busyKeys([...underWay.values()]));
      for (const item of items) begin(context, item);
      return items.length;
    },
    async settle() {
      await Promise.all(underWay.keys());
    },
  };
}

function busyKeys(keys: readonly string[]): string[] {
  return [...new Set(keys)].filter((key) => keys.filter((each) => each === key).length >= PER_KEY);
}
