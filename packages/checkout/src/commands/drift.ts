import { parseArgs } from 'node:util';
import { type Command, say, UsageError } from './command.ts';
import { storedDrift } from './stored-drift.ts';

const OPTIONS = { config: { type: 'string' } } as const;

/** Hands on what replies of providers had that their connectors do not declare, to where the connector is written. */
export const drift: Command = {
  usage: [
    'drift                          what replies of providers had that no connector declares, a line of JSON each',
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
