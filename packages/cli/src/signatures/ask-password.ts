import { type Given, type OptionSpec, textOf, UsageError } from '../commands/command.ts';
import type { Io } from '../output/io.ts';

/** Where a secret is found: the variable of the environment that holds it, and the option that names another one. */
interface Place {
  readonly variable: string;
  readonly option: string;
}

const PASSWORD: Place = { variable: 'RAILYARD_PASSWORD', option: 'password-env' };

/** Of commands that need the password too, or as well as a callback secret. */
export const CALLBACK_SECRET: Place = { variable: 'RAILYARD_CALLBACK_SECRET', option: 'secret-env' };

export const PASSWORD_OPTIONS = {
  'password-env': {
    type: 'string',
    hint: 'NAME',
    says: `the variable of the environment with the secret; default: ${PASSWORD.variable}`,
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export const CALLBACK_SECRET_OPTIONS = {
  'secret-env': {
    type: 'string',
    hint: 'NAME',
    says: `the variable of the environment with the callback secret; default: ${CALLBACK_SECRET.variable}`,
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/**
 * The merchant's password or callback secret: from the environment, from the keyboard, or from standard input. It is no argument, because
 * arguments are seen by everybody on the machine and kept by the shell.
 *
 * @param inputIsFree standard input does not hold the message
 */
export async function askPassword(
  given: Given,
  io: Io,
  what: string,
  inputIsFree: boolean,
  { variable, option } = PASSWORD,
): Promise<string> {
  const named = textOf(given, option);
  const found = io.env[named ?? variable];
  if (named !== undefined && !found) throw new UsageError(`The environment variable ${named} is not set.`);
  const password = found ?? (io.canAsk ? await io.askSecret(`${what}: `) : inputIsFree ? await fromInput(io) : '');
  if (password !== '') return password;
  throw new UsageError(`The ${what} is needed: set ${variable}, name a variable with --${option}, or pipe it in.`);
}

/** The piped input, without the line break at its end. */
async function fromInput(io: Io): Promise<string> {
  return (await io.readInput()).replace(/\r?\n$/, '');
}
