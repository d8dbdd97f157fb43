import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, type JobsDatabase, vacuum } from '../../src/storage/index.ts';
import { newDataDir, type DataDir } from '../support/data-dir.ts';
import { countingPoller, jobsOn, openPlace } from '../support/jobs.ts';

let directory: DataDir;
let database: Database;

beforeAll(async () => {
  directory = await newDataDir();
  database = await openPlace(directory.place);
});

afterAll(async () => {
  await database.close();
  await directory.remove();
});

const jobsNamed = async (name: string) =>
  (
    await sql<{ state: string; singletonKey: string }>`SELECT * FROM railyard_jobs.job WHERE name = ${name}`.execute(
      database.db,
    )
  ).rows;

/** A database in which the job library finds nothing and can make nothing. An opening begins with the same question each time. */
function refusing() {
  let asks = 0;
  let first: string | undefined;
  const waiting: { readonly count: number; readonly wake: () => void }[] = [];
  const executeSql = (text: string): Promise<never> => {
    first ??= text;
    if (text === first) asks += 1;
    for (const { count, wake } of waiting) if (asks >= count) wake();
    return Promise.reject(new Error('no room for tables'));
  };
  const jobs: JobsDatabase = { backend: 'pglite', db: { executeSql } };
  const asked = (count: number) => new Promise<void>((wake) => waiting.push({ count, wake }));
  return { jobs, asks: () => asks, asked };
}

describe('background work', () => {
  test('polls when it starts, and when it is woken', async () => {
    const callbacks = countingPoller('callbacks');
    const { jobs } = await jobsOn(database, [callbacks.poller]);
    await callbacks.until(1);
    jobs.wake('callbacks');
    await callbacks.until(2);
    await jobs.stop();
  });

  test('looks for work that was left when its caller has gone on', async () => {
    const callbacks = countingPoller('callbacks');
    const { jobs } = await jobsOn(database, [callbacks.poller]);
    expect(callbacks.polls).toBe(0);
    await callbacks.until(1);
    await jobs.stop();
  });

  test('polls again and again without being woken', async () => {
    const lookups = countingPoller('lookups');
    const { jobs } = await jobsOn(database, [lookups.poller], { tickSeconds: 1 });
    await lookups.until(3);
    await jobs.stop();
  });

  test('polls rare work when it starts and when it is woken, and not again and again', async () => {
    const lookups = countingPoller('lookups');
    const rare = countingPoller('remainders');
    const { jobs } = await jobsOn(database, [lookups.poller, { ...rare.poller, onlyWoken: true }], { tickSeconds: 1 });
    await lookups.until(3);
    expect(rare.polls).toBe(1);
    jobs.wake('remainders');
    await rare.until(2);
    await jobs.stop();
  });

  test('polls later when it is asked to, and not for what is far away', async () => {
    const runs = countingPoller('runs');
    const { jobs } = await jobsOn(database, [runs.poller]);
    await runs.until(1);
    jobs.wake('runs', 3_600_000);
    for (let wakes = 0; wakes < 10; wakes += 1) jobs.wake('runs', 500);
    await runs.until(2);
    await jobs.stop();
    expect(runs.polls).toBe(2);
  });

  test('writes no job for a wake', async () => {
    const callbacks = countingPoller('callbacks');
    const { jobs } = await jobsOn(database, [callbacks.poller]);
    for (let wakes = 0; wakes < 1000; wakes += 1) jobs.wake('callbacks');
    await jobs.stop();
    expect(await jobsNamed('callbacks')).toEqual([]);
  });

  test('logs a poll that fails, and polls again', async () => {
    const answers = [new Error('no such table')];
    const expiry = countingPoller('expiry', async () => {
      const answer = answers.shift();
      if (answer !== undefined) throw answer;
    });
    const { jobs, events } = await jobsOn(database, [expiry.poller]);
    await expiry.until(2);
    await jobs.stop();
    expect(events()).toMatchObject([{ event: 'work-failed', work: 'expiry', error: 'no such table' }]);
  });

  test('waits for the poll under way when it stops, and is woken no more', async () => {
    let finish: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (finish = resolve));
    const notifications = countingPoller('notifications', () => gate);
    const { jobs } = await jobsOn(database, [notifications.poller]);
    await notifications.until(1);
    let over = false;
    const stopped = jobs.stop().then(() => (over = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(over).toBe(false);
    finish();
    await stopped;
    jobs.wake('notifications');
    expect(notifications.polls).toBe(1);
  });

  test('lets its tables be vacuumed while it works', async () => {
    const lookups = countingPoller('lookups');
    const { jobs, events } = await jobsOn(database, [lookups.poller], { tickSeconds: 1 });
    await vacuum(database.db, 'jobs');
    await lookups.until(2);
    await jobs.stop();
    expect(events()).toEqual([]);
  });

  test('is notified by the calendar where a database of an earlier version was not', async () => {
    const cronJob = { name: 'reconcile', cron: '0 0 1 1 *', run: () => Promise.resolve() } as const;
    const notifies = () =>
      sql<{ notify: boolean }>`SELECT notify FROM railyard_jobs.queue WHERE name = 'reconcile'`.execute(database.db);
    for (let start = 0; start < 2; start += 1) {
      const { jobs } = await jobsOn(database, [], { cronJobs: [cronJob] });
      await jobs.stop();
      expect((await notifies()).rows).toEqual([{ notify: true }]);
      await sql`UPDATE railyard_jobs.queue SET notify = false`.execute(database.db);
    }
  });

  test('writes the calendar where it has changed', async () => {
    const written = async (cron: string) => {
      const { jobs } = await jobsOn(database, [], {
        cronJobs: [{ name: 'reconcile', cron, run: async () => undefined }],
      });
      await jobs.stop();
      const { rows } = await sql<{ at: Date }>`
        SELECT updated_on AS at FROM railyard_jobs.schedule WHERE name = 'reconcile' AND cron = ${cron}`.execute(
        database.db,
      );
      return rows[0]?.at;
    };
    const first = await written('0 0 2 1 *');
    expect(await written('0 0 2 1 *')).toEqual(first);
    expect(await written('0 0 1 1 *')).not.toEqual(first);
  });

  test('runs its cron jobs by the calendar', async () => {
    let wake: () => void = () => undefined;
    const done = new Promise<void>((resolve) => (wake = resolve));
    const cronJob = { name: 'reconcile', cron: '0 0 1 1 *', run: async () => wake() } as const;
    const first = await jobsOn(database, [], { cronJobs: [cronJob] });
    await first.jobs.stop();
    const schedules = sql<{ name: string; cron: string }>`SELECT name, cron FROM railyard_jobs.schedule`;
    expect((await schedules.execute(database.db)).rows).toEqual([{ name: 'reconcile', cron: '0 0 1 1 *' }]);
    // As the calendar does.
    await sql`INSERT INTO railyard_jobs.job (name) VALUES ('reconcile')`.execute(database.db);
    const second = await jobsOn(database, [], { cronJobs: [cronJob] });
    await done;
    await second.jobs.stop();
  });

  test('opens its library later where it is asked to, and then runs the jobs of the calendar', async () => {
    let wake: () => void = () => undefined;
    const done = new Promise<void>((resolve) => (wake = resolve));
    const cronJob = { name: 'tidying', cron: '0 0 1 1 *', run: async () => wake() } as const;
    await (await jobsOn(database, [], { cronJobs: [cronJob] })).jobs.stop();
    await sql`INSERT INTO railyard_jobs.job (name) VALUES ('tidying')`.execute(database.db);
    const { jobs } = await jobsOn(database, [], { cronJobs: [cronJob], libraryAfterMs: 5 });
    await done;
    await jobs.stop();
  });

  test('fails to start where its library cannot be opened', async () => {
    await expect(jobsOn({ jobs: refusing().jobs }, [])).rejects.toThrow('no room for tables');
  });

  test('polls although its library cannot be opened later, says so, and tries again', async () => {
    const callbacks = countingPoller('callbacks');
    const { jobs: withoutTables, asked } = refusing();
    const { jobs, events } = await jobsOn({ jobs: withoutTables }, [callbacks.poller], { libraryAfterMs: 5 });
    await callbacks.until(1);
    await asked(2);
    await jobs.stop();
    expect(events()).toMatchObject([{ event: 'jobs-failed', error: 'no room for tables' }]);
  });

  test('does not open its library where it stops before', async () => {
    const { jobs: withoutTables, asks } = refusing();
    const { jobs, events } = await jobsOn({ jobs: withoutTables }, [], { libraryAfterMs: 60_000 });
    await jobs.stop();
    expect({ asks: asks(), events: events() }).toEqual({ asks: 0, events: [] });
  });
});
