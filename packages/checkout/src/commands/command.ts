/** One subcommand. Its module imports nothing heavy before `run`, so that help appears at once. */
export interface Command {
  /** Its lines of the help, as `railyard-checkout` is called: `callbacks list [--dead]`. */
  readonly usage: readonly string[];
  /** @throws UsageError for arguments that it does not understand */
  readonly run: (args: readonly string[]) => Promise<void>;
}

/** The command was called wrongly; the message says how, in one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Writes a line of an answer to standard output. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** How many to list, from what `--limit` was given. */
export function limitOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError('--limit takes a number from 1 to 999999.');
  return Number(text);
}
