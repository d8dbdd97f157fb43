import type { JobsDatabase } from '../../src/storage/index.ts';
import { openJobLibrary } from '../../src/work/job-library.ts';

/**
 * Makes the tables of the job library, as each service does where they are missing: half the processor time of a start. Makes no queue and
 * no calendar: a calendar as old as the template would have missed its times.
 */
export async function makeJobTables(database: JobsDatabase): Promise<void> {
  const failures: unknown[] = [];
  const library = await openJobLibrary({
    database,
    log: { info: () => undefined, warn: () => undefined, error: (line) => failures.push(line) },
    pollers: [],
    cronJobs: [],
    wake: () => undefined,
    report: (error) => failures.push(error),
  });
  await library.close();
  if (failures.length > 0) throw new AggregateError(failures, 'The tables of the job library were not made.');
}
