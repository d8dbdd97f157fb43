import { type Given, type OptionSpec, textOf, UsageError } from '../commands/command.ts';
import type { Io } from '../output/io.ts';

const VARIABLE = 'RAILYARD_PASSWORD';

export const PASSWORD_OPTIONS = {
  'password-env': {
    type: 'string',
    hint: 'NAME',
    says: `the variable of the environment with the secret; default: ${VARIABLE}`,
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/**
 * The merchant's password or callback secret: from the environment, from the keyboard, or from standard input. It is no argument, because
 * arguments are seen by everybody on the machine and kept by the shell.
 *
 * @param inputIsFree standard input does not hold the message
 */
export async function askPassword(given: Given, io: Io, what: string, inputIsFree: boolean): Promise<string> {
  const named = textOf(given, 'password-env');
  const found = io.env[named ?? VARIABLE];
  if (named !== undefined && !found) throw new UsageError(`The environment variable ${named} is not set.`);
  const password = found ?? (io.canAsk ? await io.askSecret(`${what}: `) : inputIsFree ? await fromInput(io) : '');
  if (password !== '') return password;
  throw new UsageError(`The ${what} is needed: set ${VARIABLE}, name a variable with --password-env, or pipe it in.`);
}

/** The piped input, without the line break at its end. */
async function fromInput(io: Io): Promise<string> {
  return (await io.readInput()).replace(/\r?\n$/, '');
}
