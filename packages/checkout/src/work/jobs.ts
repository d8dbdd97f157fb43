import { PgBoss, type WorkOptions } from 'pg-boss';
import type { Log } from '../log/log.ts';
import { DatabaseUnavailableError, type JobsDatabase } from '../storage/index.ts';
import { localWakes } from './local-wakes.ts';
import { messageOf, type Poller } from './pollers.ts';
import type { QueueName } from '../storage/queue-name.ts';

/** The job library's own tables; made and brought up to date when a service starts, by one of several processes. */
const SCHEMA = 'railyard_jobs';

const SAME_ERROR_MS = 60_000;

/** A job at fixed times. Of several processes one does it. */
export interface CronJob {
  readonly name: 'reconcile' | 'housekeeping' | 'tidying';
  readonly cron: string;
  readonly run: () => Promise<void>;
}

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
}

/**
 * Starts background work. Rows say what is due; the process that writes one wakes its own poller, and ticks find what a process that died
 * has left. The job library keeps the calendar, and wakes another process where one has too much to do.
 */
export async function startJobs(options: JobsOptions): Promise<Jobs> {
  const { database, log, pollers, cronJobs, tickSeconds } = options;
  const boss = new PgBoss({
    ...database,
    schema: SCHEMA,
    useListenNotify: true,
    // We have no jobs that wait for other jobs.
    flowIntervalSeconds: 3600,
    maintenanceIntervalSeconds: 600,
    // Jobs are wakes and the calendar of each minute: what the library looks at by itself may be found minutes later, and an idle process
    // asks its server little.
    superviseIntervalSeconds: 300,
    monitorIntervalSeconds: 300,
    queueCacheIntervalSeconds: 300,
    bamIntervalSeconds: 3600,
    cronWorkerIntervalSeconds: 20,
    // The embedded database is vacuumed by us and cannot rebuild an index beside other work.
    ...(database.backend === 'pglite' && { reindex: false, monitorVacuum: false }),
  });
  const report = reporter(log);
  boss.on('error', report);
  boss.on('warning', ({ message }) => log.warn({ event: 'jobs-warning', why: message }));
  // The embedded database belongs to one process: there are no others to be woken.
  const isShared = database.backend !== 'pglite' && pollers.length > 0;
  try {
    await boss.start();
    await declareQueues(boss, isShared, cronJobs);
    await schedule(boss, cronJobs);
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
  const wakes = localWakes(pollers, tickSeconds * 1000, (name, error) => {
    if (error instanceof DatabaseUnavailableError) report(error);
    else log.error({ event: 'work-failed', work: name, error: messageOf(error) });
  });
  const others = wakesOfOthers(boss, report);
  const work = async () => {
    wakes.begin();
    for (const { name, run } of cronJobs) await boss.work(name, PACE, () => logged(log, name, run));
    if (isShared) await boss.work<Wake>(WAKES, { ...PACE, batchSize: pollers.length }, async (jobs) => pollFor(jobs));
  };
  const pollFor = (jobs: readonly { readonly data: Wake }[]) => {
    const woken = new Set(jobs.map(({ data }) => data.work));
    for (const { name } of pollers) if (woken.has(name)) wakes.wake(name);
  };
  let first: NodeJS.Immediate | undefined;
  let begun: Promise<void> | undefined;
  const stop = async () => {
    clearImmediate(first);
    await begun;
    const woken = wakes.stop();
    await others.stop();
    const names = [...(isShared ? [WAKES] : []), ...cronJobs.map(({ name }) => name)];
    await Promise.all([woken, ...pollers.map((poller) => poller.stop()), ...names.map((name) => boss.offWork(name))]);
    await boss.stop({ graceful: false });
  };
  let stopped: Promise<void> | undefined;
  return {
    wake: wakes.wake,
    wakeOthers: (name) => (isShared ? others.wake(name) : undefined),
    // Not at once: on the embedded database the first looks keep the process busy, and the caller has something to say.
    begin: () => void (first ??= setImmediate(() => (begun = work().catch(report)))),
    stop: () => (stopped ??= stop()),
  };
}

/** One queue for the wakes of every kind of work: a worker of each kind would ask for them by itself. */
const WAKES = 'wakes';

interface Wake {
  readonly work: string;
}

/** The database notifies of a job; without that (a pooler in between) ticks come sooner than this, and the calendar is of minutes. */
const PACE: WorkOptions = { pollingIntervalSeconds: 30, notifyPollingIntervalSeconds: 60 };

/** Of one key only one job waits (policy `short`): any number of wakes of a kind are one poll. */
const WAKES_QUEUE = {
  policy: 'short',
  notify: true,
  expireInSeconds: 60,
  retryLimit: 3,
  retryDelay: 1,
  deleteAfterSeconds: 60,
} as const;

const CRON_QUEUE = {
  notify: true,
  expireInSeconds: 600,
  retryLimit: 3,
  retryDelay: 30,
  deleteAfterSeconds: 86_400,
} as const;

async function declareQueues(boss: PgBoss, isShared: boolean, cronJobs: readonly CronJob[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  if (isShared && !known.has(WAKES)) await boss.createQueue(WAKES, WAKES_QUEUE);
  for (const { name } of cronJobs) {
    const queue = known.get(name);
    if (queue === undefined) await boss.createQueue(name, CRON_QUEUE);
    // A database of an earlier version.
    else if (queue.notify !== true) await boss.updateQueue(name, { notify: true });
  }
}

/** The calendar is written where it has changed. */
async function schedule(boss: PgBoss, cronJobs: readonly CronJob[]): Promise<void> {
  const known = new Map((await boss.getSchedules()).map((each) => [each.name, each]));
  for (const { name, cron } of cronJobs) {
    const { cron: before, options } = known.get(name) ?? {};
    if (before !== cron || options?.missed !== MISSED) await boss.schedule(name, cron, {}, { missed: MISSED });
  }
}

/** Of what a calendar's job has missed it does one. */
const MISSED = 'once';

async function logged(log: Log, work: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    log.error({ event: 'work-failed', work, error: messageOf(error) });
    throw error;
  }
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

/** Wakes at the same moment are one job: while one is being written, the others wait for one more. */
function wakesOfOthers(boss: PgBoss, report: (error: unknown) => void) {
  const waiting = new Set<QueueName>();
  const sending = new Map<QueueName, Promise<void>>();
  let stopped = false;
  const send = async (name: QueueName) => {
    do {
      waiting.delete(name);
      await boss.send(WAKES, { work: name } satisfies Wake, { singletonKey: name }).catch(report);
    } while (waiting.has(name) && !stopped);
    sending.delete(name);
  };
  return {
    wake(name: QueueName) {
      if (stopped) return;
      if (sending.has(name)) waiting.add(name);
      else sending.set(name, send(name));
    },
    async stop() {
      stopped = true;
      await Promise.all(sending.values());
    },
  };
}
