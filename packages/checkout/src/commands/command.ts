/** What one word of the command line does. Its module imports nothing heavy before `run`, so that help comes at once. */
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
