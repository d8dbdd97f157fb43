import { createLog } from '../../src/log/log.ts';
import { type Database, openDatabase } from '../../src/storage/index.ts';
import { type JobsOptions, startJobs } from '../../src/work/jobs.ts';
import type { Round } from '../../src/work/rounds.ts';
import type { RoundName } from '../../src/storage/round-name.ts';
import type { Place } from './data-dir.ts';

export const openPlace = ({ dataDir, databaseUrl }: Place): Promise<Database> =>
  openDatabase(databaseUrl === undefined ? { dataDir } : { url: databaseUrl });

/** A round that only counts, and somebody who waits for it. */
export function countingRound(name: RoundName, look: () => Promise<void> = async () => undefined) {
  let looks = 0;
  let waiting: (() => void)[] = [];
  const round: Round = {
    name,
    async look() {
      looks += 1;
      for (const wake of waiting.splice(0)) wake();
      await look();
    },
    stop: async () => undefined,
  };
  return {
    round,
    get looks() {
      return looks;
    },
    async until(count: number) {
      while (looks < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

/** Background work without a service. The log is kept. */
export async function jobsOn(
  { jobs: database }: Pick<Database, 'jobs'>,
  rounds: readonly Round[],
  { tickSeconds = 3600, chores = [], ...more }: Partial<Pick<JobsOptions, 'tickSeconds' | 'chores' | 'replanMs'>> = {},
) {
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line) });
  const jobs = await startJobs({ database, log, rounds, chores, tickSeconds, ...more });
  return { jobs, events: () => lines.map((line): { event?: string } => JSON.parse(line)) };
}
