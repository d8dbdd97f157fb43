import { existsSync } from 'node:fs';
import { modifications } from './modifications.ts';
import { apply } from './service.ts';
import { attention } from './attention.ts';
import { callbacks } from './callbacks.ts';
import { type Command, endWithReader, UsageError } from './command.ts';
import { drift } from './drift.ts';
import { notifications } from './notifications.ts';
import { payments } from './payments.ts';
import { profile } from './service.ts';
import { retention } from './retention.ts';
import { rotateKeys } from './service.ts';
import { start } from './service.ts';

/** Each command by its first word. Any other word is a configuration file to start with. */
const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['modifications', modifications],
  ['apply', apply],
  ['callbacks', callbacks],
  ['drift', drift],
  ['needs-attention', attention],
  ['notifications', notifications],
  ['payments', payments],
  ['profile', profile],
  ['retention', retention],
  ['rotate-keys', rotateKeys],
]);

const CONFIG_HELP = `
The configuration file is a module whose default export is the configuration.
DATABASE_URL in the environment (postgres://…) names the PostgreSQL server to use, unless the configuration does;
RAILYARD_ENCRYPTION_KEY the keys of what is sealed in the database: 32 bytes in Base64, several with commas, newest first.
`;

export function helpText(): string {
  const lines = [start, ...COMMANDS.values()]
    .flatMap(({ usage }) => usage)
    .map((line) => `  railyard-checkout ${line}`);
  return `Usage:\n${lines.join('\n')}\n${CONFIG_HELP}`;
}

/** A word that is neither an option nor like the name of a file. */
const isMistyped = (word: string): boolean => /^[\w-]+$/.test(word) && !word.startsWith('-') && !existsSync(word);

/** Runs the command. @returns the exit code */
export async function runCommand(args: readonly string[]): Promise<number> {
  const [word = '', ...rest] = args;
  const command = COMMANDS.get(word);
  const isHelp = word === '--help' || word === '-h';
  if (isHelp || command !== undefined) endWithReader();
  if (isHelp) {
    process.stdout.write(helpText());
    return 0;
  }
  try {
    if (command === undefined && isMistyped(word))
      throw new UsageError(`There is no command "${word}", and no such file.`);
    await (command === undefined ? start.run(args) : command.run(rest));
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (!(error instanceof UsageError)) return 1;
    process.stderr.write(helpText());
    return 2;
  }
}
