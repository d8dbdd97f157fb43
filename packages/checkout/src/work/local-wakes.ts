import type { QueueName } from '../storage/queue-name.ts';
import type { Poller } from './pollers.ts';

/** A poll that failed is tried again after this. */
const RETRY_MS = 1000;
/** Later than this a tick comes anyway. */
const SOON_MS = 60_000;

/**
 * Polls in this process: when it is woken, and from `begin` on every `tickMs`. Any number of wakes for the same second are one poll.
 *
 * @param failed is given the errors of polls
 */
export function localWakes(
  pollers: readonly Poller[],
  tickMs: number,
  failed: (name: QueueName, error: unknown) => void,
) {
  const byName = new Map(pollers.map((poller) => [poller.name, poller]));
  const timers = new Map<string, NodeJS.Timeout>();
  const polling = new Set<Promise<void>>();
  let stopped = false;

  const poll = (name: QueueName) => {
    const done = (byName.get(name)?.poll() ?? Promise.resolve())
      .catch((error: unknown) => {
        failed(name, error);
        wake(name, RETRY_MS);
      })
      .finally(() => polling.delete(done));
    polling.add(done);
  };

  function wake(name: QueueName, inMs = 0): void {
    if (stopped || inMs > SOON_MS) return;
    if (inMs <= 0) return poll(name);
    const second = Math.ceil((performance.now() + inMs) / 1000);
    const id = `${name} ${second}`;
    if (timers.has(id)) return;
    const due = () => {
      timers.delete(id);
      poll(name);
    };
    timers.set(id, setTimeout(due, second * 1000 - performance.now() + 2).unref());
  }

  const pollAll = (these: readonly Poller[]) => {
    for (const { name } of these) poll(name);
  };
  const ticking = pollers.filter(({ onlyWoken }) => onlyWoken !== true);
  let ticks: NodeJS.Timeout | undefined;
  return {
    wake,
    begin() {
      ticks = setInterval(() => pollAll(ticking), tickMs).unref();
      pollAll(pollers);
    },
    /** Waits for the polls under way. */
    async stop() {
      stopped = true;
      clearInterval(ticks);
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(polling);
    },
  };
}
