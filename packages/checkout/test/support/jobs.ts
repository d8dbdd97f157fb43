import { createLog } from '../../src/log/log.ts';
import { type Database, openDatabase } from '../../src/storage/index.ts';
import { type JobsOptions, startJobs } from '../../src/work/jobs.ts';
import type { Poller } from '../../src/work/pollers.ts';
import type { QueueName } from '../../src/storage/index.ts';
import type { Place } from './data-dir.ts';

export const openPlace = ({ dataDir, databaseUrl }: Place): Promise<Database> =>
  openDatabase(databaseUrl === undefined ? { dataDir } : { url: databaseUrl });

/** A poller that only counts, and a test that waits for it. */
export function countingPoller(name: QueueName, onPoll: () => Promise<void> = async () => undefined) {
  let polls = 0;
  let waiting: (() => void)[] = [];
  const poller: Poller = {
    name,
    async poll() {
      polls += 1;
      for (const wake of waiting.splice(0)) wake();
      await onPoll();
    },
    stop: async () => undefined,
  };
  return {
    poller,
    get polls() {
      return polls;
    },
    async until(count: number) {
      while (polls < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

/** Background work without a service. The log is kept. */
export async function jobsOn(
  { jobs: database }: Pick<Database, 'jobs'>,
  pollers: readonly Poller[],
  {
    tickSeconds = 3600,
    cronJobs = [],
    ...more
  }: Partial<Pick<JobsOptions, 'tickSeconds' | 'cronJobs' | 'libraryAfterMs'>> = {},
) {
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line) });
  const jobs = await startJobs({ database, log, pollers, cronJobs, tickSeconds, ...more });
  jobs.begin();
  return { jobs, events: () => lines.map((line): { event?: string } => JSON.parse(line)) };
}
