import { PgBoss, type WorkOptions } from 'pg-boss';
import type { Log } from '../log/log.ts';
import type { JobsDatabase } from '../storage/index.ts';
import { messageOf, type Poller } from './pollers.ts';
import type { QueueName } from '../storage/queue-name.ts';

/** The job library's own tables; made and brought up to date when a service starts, by one of several processes. */
const SCHEMA = 'railyard_jobs';

/** Later than this a tick comes anyway. */
const SOON_MS = 60_000;
const SAME_ERROR_MS = 60_000;
const REPLAN_MS = 60_000;

/** A job at fixed times. Of several processes one does it. */
export interface CronJob {
  readonly name: 'reconcile' | 'housekeeping' | 'tidying';
  readonly cron: string;
  readonly run: () => Promise<void>;
}

export interface Jobs {
  /** Has a process poll for due work of this kind, at once or in a while. Never fails: the next tick polls in any case. */
  wake(name: QueueName, inMs?: number): void;
  /** Waits for the work under way. */
  stop(): Promise<void>;
}

export interface JobsOptions {
  readonly database: JobsDatabase;
  readonly log: Log;
  readonly pollers: readonly Poller[];
  readonly cronJobs: readonly CronJob[];
  /** How often each kind is looked for without being woken. */
  readonly tickSeconds: number;
  /** How often every process sees to it that each kind has a tick; once a minute unless given. */
  readonly replanMs?: number;
}

interface PollJob {
  /** It plans the next one. */
  readonly tick?: true;
}

/** Starts background work: each kind has a queue, whose jobs say when to poll and choose the process that does. */
export async function startJobs(options: JobsOptions): Promise<Jobs> {
  const { database, log, pollers, cronJobs, tickSeconds, replanMs = REPLAN_MS } = options;
  const boss = new PgBoss({
    ...database,
    schema: SCHEMA,
    useListenNotify: true,
    // We have no jobs that wait for other jobs.
    flowIntervalSeconds: 3600,
    maintenanceIntervalSeconds: 600,
    // The embedded database is vacuumed by us and cannot rebuild an index beside other work.
    ...(database.backend === 'pglite' && { reindex: false, monitorVacuum: false }),
  });
  const report = reporter(log);
  boss.on('error', report);
  boss.on('warning', ({ message }) => log.warn({ event: 'jobs-warning', why: message }));
  const plan = async (name: QueueName, startAfter: number) => {
    await boss.send(name, { tick: true } satisfies PollJob, { singletonKey: 'tick', startAfter });
  };
  try {
    await boss.start();
    await declareQueues(boss, pollers, cronJobs);
    const pace = paceOf(tickSeconds);
    for (const poller of pollers)
      await boss.work<PollJob>(poller.name, pace, async ([job]) => {
        // First, so that nothing that happens now ends the ticks.
        if (job?.data.tick === true) await plan(poller.name, tickSeconds);
        await logged(log, poller.name, () => poller.poll());
      });
    for (const cronJob of cronJobs) {
      await boss.work(cronJob.name, CRON_PACE, () => logged(log, cronJob.name, cronJob.run));
      await boss.schedule(cronJob.name, cronJob.cron, {}, { missed: 'once' });
    }
    for (const { name } of pollers) await plan(name, 0);
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
  const wakes = wakesOf(boss, report);
  const replanning = repeatEvery(replanMs, async () => {
    for (const { name } of pollers) await plan(name, tickSeconds).catch(report);
  });
  const stop = async () => {
    await Promise.all([wakes.stop(), replanning.stop()]);
    const names = [...pollers, ...cronJobs].map(({ name }) => name);
    await Promise.all([...pollers.map((poller) => poller.stop()), ...names.map((name) => boss.offWork(name))]);
    await boss.stop({ graceful: false });
  };
  let stopped: Promise<void> | undefined;
  return { wake: wakes.wake, stop: () => (stopped ??= stop()) };
}

/**
 * A tick plans the next one; if the database is away for all its tries, none is planned. So every process plans one now and
 * then, which changes nothing while one waits.
 */
function repeatEvery(everyMs: number, run: () => Promise<void>) {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => (running ??= run().finally(() => (running = undefined))), everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** A job that is not yet due is found by polling; the database notifies of one that is due at once. */
const paceOf = (tickSeconds: number): WorkOptions => {
  const seconds = Math.min(1, tickSeconds / 2);
  return { pollingIntervalSeconds: seconds, notifyPollingIntervalSeconds: seconds };
};
const CRON_PACE: WorkOptions = { pollingIntervalSeconds: 10 };

/** Of one key only one job waits (policy `short`): any number of wakes are one poll. */
const POLL_QUEUE = {
  policy: 'short',
  notify: true,
  expireInSeconds: 60,
  retryLimit: 3,
  retryDelay: 1,
  deleteAfterSeconds: 60,
} as const;

const CRON_QUEUE = { expireInSeconds: 600, retryLimit: 3, retryDelay: 30, deleteAfterSeconds: 86_400 } as const;

async function declareQueues(boss: PgBoss, pollers: readonly Poller[], cronJobs: readonly CronJob[]): Promise<void> {
  const known = new Set((await boss.getQueues()).map(({ name }) => name));
  for (const { name } of pollers) if (!known.has(name)) await boss.createQueue(name, POLL_QUEUE);
  for (const { name } of cronJobs) if (!known.has(name)) await boss.createQueue(name, CRON_QUEUE);
}

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
function wakesOf(boss: PgBoss, report: (error: unknown) => void) {
  const waiting = new Set<string>();
  const sending = new Map<string, Promise<void>>();
  let stopped = false;
  const send = async (name: QueueName, singletonKey: string, startAfter: number) => {
    const id = `${name} ${singletonKey}`;
    do {
      waiting.delete(id);
      await boss.send(name, {}, { singletonKey, startAfter }).catch(report);
    } while (waiting.has(id) && !stopped);
    sending.delete(id);
  };
  return {
    wake(name: QueueName, inMs = 0) {
      if (stopped || inMs > SOON_MS) return;
      const seconds = Math.ceil(inMs / 1000);
      const key = seconds === 0 ? 'now' : `at ${Math.floor(Date.now() / 1000) + seconds}`;
      const id = `${name} ${key}`;
      if (sending.has(id)) waiting.add(id);
      else sending.set(id, send(name, key, seconds));
    },
    async stop() {
      stopped = true;
      await Promise.all(sending.values());
    },
  };
}
