import { PgBoss, type WorkOptions } from 'pg-boss';
import type { Log } from '../log/log.ts';
import type { JobsDatabase } from '../storage/index.ts';
import type { QueueName } from '../storage/index.ts';
import { messageOf, type Poller } from './pollers.ts';

/** The job library's own tables; made and brought up to date when it is opened, by one of several processes. */
const SCHEMA = 'railyard_jobs';

/** A job at fixed times. Of several processes one does it. */
export interface CronJob {
  readonly name: 'reconcile' | 'housekeeping' | 'tidying';
  readonly cron: string;
  readonly run: () => Promise<void>;
}

/** Keeps the calendar, and wakes other processes. */
export interface JobLibrary {
  /** Takes up jobs of the calendar, and wakes of other processes. */
  work(): Promise<void>;
  /** Has another process poll: there is more than this one can take. */
  wakeOthers(name: QueueName): void;
  /** Waits for the jobs under way. */
  close(): Promise<void>;
}

export interface JobLibraryOptions {
  readonly database: JobsDatabase;
  readonly log: Log;
  readonly pollers: readonly Pick<Poller, 'name'>[];
  readonly cronJobs: readonly CronJob[];
  /** Polls in this process: another one has asked for it. */
  readonly wake: (name: QueueName) => void;
  /** Is called with later errors. */
  readonly report: (error: unknown) => void;
}

/** Opens the job library: its tables, its queues and the calendar are up to date then. */
export async function openJobLibrary(options: JobLibraryOptions): Promise<JobLibrary> {
  const { database, log, pollers, cronJobs, wake, report } = options;
  const boss = newBoss(database);
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
  const others = wakesOfOthers(boss, report);
  const pollFor = (jobs: readonly { readonly data: Wake }[]) => {
    const woken = new Set(jobs.map(({ data }) => data.work));
    for (const { name } of pollers) if (woken.has(name)) wake(name);
  };
  return {
    async work() {
      for (const { name, run } of cronJobs) await boss.work(name, PACE, () => logged(log, name, run));
      if (isShared) await boss.work<Wake>(WAKES, { ...PACE, batchSize: pollers.length }, async (jobs) => pollFor(jobs));
    },
    wakeOthers: (name) => (isShared ? others.wake(name) : undefined),
    async close() {
      await others.stop();
      const names = [...(isShared ? [WAKES] : []), ...cronJobs.map(({ name }) => name)];
      await Promise.all(names.map((name) => boss.offWork(name)));
      await boss.stop({ graceful: false });
    },
  };
}

function newBoss(database: JobsDatabase): PgBoss {
  return new PgBoss({
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

/** A calendar's job makes up for one missed time at most. */
const MISSED = 'once';

async function logged(log: Log, work: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    log.error({ event: 'work-failed', work, error: messageOf(error) });
    throw error;
  }
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
