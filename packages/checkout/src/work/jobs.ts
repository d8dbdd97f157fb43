import { DatabaseUnavailableError, type JobsDatabase, type QueueName } from '../storage/index.ts';
import { messageOf, type Poller } from './pollers.ts';
import { openedWhenUsed } from '@railyard/runtime';
import type { Log } from '../log/log.ts';
import type { CronJob } from './job-library.ts';

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

const SAME_ERROR_MS = 60_000;

export interface Jobs {
  /**
   * Has this process poll for due work of this kind, at once or in a while; without a word to the database. Never fails: the next tick
   * of any process polls in any case.
   */
  wake(name: QueueName, inMs?: number): void;
  /** Has another process poll: there is more than this one can take. */
  wakeOthers(name: QueueName): void;
  /** Looks for work that was left, soon, and from then on again and again. */
  begin(): void;
  /** Waits for the work under way. */
  stop(): Promise<void>;
}

export interface JobsOptions {
  readonly database: JobsDatabase;
  readonly log: Log;
  readonly pollers: readonly Poller[];
  readonly cronJobs: readonly CronJob[];
  /** How often every process polls for each kind without being woken. */
  readonly tickSeconds: number;
  /**
   * Milliseconds after `begin` in which the job library is opened, and where that fails, tried again. Default: it is open when
   * `startJobs` is done, which fails if it cannot be opened.
   */
  readonly libraryAfterMs?: number;
}

/**
 * Starts background work. Rows say what is due; the process that writes one wakes its own poller, and ticks find what a process that died
 * has left. The job library keeps the calendar, and wakes another process where one has too much to do.
 */
export async function startJobs(options: JobsOptions): Promise<Jobs> {
  const { log, pollers, tickSeconds, libraryAfterMs } = options;
  const report = reporter(log);
  const wakes = localWakes(pollers, tickSeconds * 1000, (name, error) => {
    if (error instanceof DatabaseUnavailableError) report(error);
    else log.error({ event: 'work-failed', work: name, error: messageOf(error) });
  });
  const library = openedWhenUsed(async () => {
    // Loaded where it is used: it takes long to load.
    const { openJobLibrary } = await import('./job-library.ts');
    return openJobLibrary({ ...options, wake: wakes.wake, report });
  });
  let opened = libraryAfterMs === undefined ? await library.get() : undefined;
  let timer: NodeJS.Timeout | undefined;
  let taken: Promise<void> | undefined;
  const takeUp = async () => {
    try {
      opened = await library.get();
    } catch (error) {
      report(error);
      return takeUpLater();
    }
    await opened.work().catch(report);
  };
  const takeUpLater = () => {
    timer = setTimeout(() => (taken = takeUp()), libraryAfterMs).unref();
  };
  let first: NodeJS.Immediate | undefined;
  const begin = () => {
    wakes.begin();
    if (opened === undefined) takeUpLater();
    else taken = takeUp();
  };
  const stop = async () => {
    clearImmediate(first);
    clearTimeout(timer);
    await taken;
    // It may have failed meanwhile, and be to come again.
    clearTimeout(timer);
    await Promise.all([wakes.stop(), ...pollers.map((poller) => poller.stop()), library.close()]);
  };
  let stopped: Promise<void> | undefined;
  return {
    wake: wakes.wake,
    wakeOthers: (name) => opened?.wakeOthers(name),
    // Not at once: on the embedded database the first looks keep the process busy, and the caller has something to say.
    begin: () => void (first ??= setImmediate(begin)),
    stop: () => (stopped ??= stop()),
  };
}

/** While the database is away every worker says so every second; the log needs it once a minute. */
function reporter(log: Log): (error: unknown) => void {
  const loggedAt = new Map<string, number>();
  return (error) => {
    const why = messageOf(error).replace(/ \(Queue: .*/, '');
    const now = performance.now();
    if (now - (loggedAt.get(why) ?? -Infinity) < SAME_ERROR_MS) return;
    loggedAt.set(why, now);
    log.error({ event: 'jobs-failed', error: why });
  };
}
