import { Refused } from './run.ts';

/** Runs a step of a release: says what it answers, or why it stopped, and sets the exit code. */
export async function command(work: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await work()}\n`);
  } catch (error) {
    const why = error instanceof Refused ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`railyard: ${why}\n`);
    process.exitCode = 1;
  }
}
