import type { Io } from '../output/io.ts';
import type { Look } from '../output/look.ts';

/** The command was called wrongly, or a requirement is missing. The message says what is wrong and what to do. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The result of a command. */
export interface Answer {
  /** 0: good. 1: the answer is no: a request is invalid, a signature wrong, a check failed. */
  readonly code: 0 | 1;
  /** With `--json`, as it stands here; `undefined` where everything was reported already. */
  readonly json: unknown;
  /** Without. */
  text(look: Look): string;
}

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly multiple?: true;
  /** The placeholder of its value in the help: `FILE`. */
  readonly hint?: string;
  readonly says: string;
}

/** The command line of one command, as it was understood. */
export interface Given {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
}

/** One word of the command line. A module of its own, loaded only when the word is used. */
export interface Command {
  /** How it is called, after `railyard`: `validate FILE`. */
  readonly usage: string;
  /** A sentence or two more than the list of commands says. */
  readonly help: string;
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** At least and at most so many words beside the options. */
  readonly words: readonly [least: number, most: number];
  /** @throws UsageError if the arguments ask for something that it cannot do */
  run(given: Given, io: Io): Promise<Answer>;
}

/** The text of an option; an empty one counts as none. */
export function textOf({ values }: Given, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function isSet({ values }: Given, name: string): boolean {
  return values[name] === true;
}

/** The texts of an option that may be repeated. */
export function listOf({ values }: Given, name: string): readonly string[] {
  return [values[name] ?? []].flat().filter((each) => typeof each === 'string');
}

/** A value that must be one of several. */
export function oneOf<const T extends string>(text: string, choices: readonly T[], what: string): T {
  const found = choices.find((each) => each === text);
  if (found === undefined) throw new UsageError(`${what} is one of ${choices.join(', ')}.`);
  return found;
}
