import type { DriftCount } from '@railyard/runtime';
import { UsageError, loadConfig, say, withDatabase, type Command } from './command.ts';
import { parseArgs } from 'node:util';

/**
 * The drift of replies that a deployment's processes have stored. A process stores its counts once a minute and when it stops.
 *
 * @param config the file of the configuration; default: the first of the usual names in the folder
 * @throws Error that says what to do when the embedded database belongs to a running service: its object has `drift()`, and its log has lines
 */
export async function storedDrift(config?: string, folder?: string): Promise<readonly DriftCount[]> {
  const { driftStore } = await import('../storage/index.ts');
  let counts: readonly DriftCount[] = [];
  await withDatabase(await loadConfig(config, folder), async ({ db }) => {
    counts = await driftStore(db).list();
  });
  return counts;
}

const OPTIONS = { config: { type: 'string' } } as const;

/** Hands on what replies of providers had that their connectors do not declare, to where the connector is written. */
export const drift: Command = {
  usage: [
    'drift                          list where providers’ replies differ from the connectors, one line of JSON each',
  ],
  async run(args) {
    const { config } = readArgs(args);
    const { driftLine } = await import('@railyard/runtime');
    for (const count of await storedDrift(config)) say(JSON.stringify(driftLine(count)));
  },
};

function readArgs(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
