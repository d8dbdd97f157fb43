/** One stream of answers. */
export interface Output {
  /** A person reads it, not a program. */
  readonly terminal: boolean;
  /** Characters in a line. */
  readonly columns: number;
  write(text: string): void;
}

/** Everything a command has of the world, so that tests can bring their own. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Answers. */
  readonly out: Output;
  /** Complaints, questions and the news of what runs for long. */
  readonly err: Output;
  /** Whether the user can be asked at the keyboard. */
  readonly canAsk: boolean;
  /** Standard input to its end. */
  readInput(): Promise<string>;
  /** Asks at the terminal, without showing the typed text. */
  askSecret(question: string): Promise<string>;
  /** Ends when the process is asked to stop. */
  stopped(): Promise<void>;
}

/** The process's own streams. */
export function processIo(): Io {
  return {
    cwd: process.cwd(),
    env: process.env,
    out: outputOf(process.stdout),
    err: outputOf(process.stderr),
    canAsk: process.stdin.isTTY,
    readInput,
    askSecret,
    stopped: () =>
      new Promise((resolve) => {
        process.once('SIGINT', () => resolve());
        process.once('SIGTERM', () => resolve());
      }),
  };
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return {
    terminal: stream.isTTY,
    columns: stream.columns ?? 80,
    write: (text) => void stream.write(text),
  };
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

async function askSecret(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const { Writable } = await import('node:stream');
  process.stderr.write(question);
  // The interface echoes into nothing, so that what is typed stays unseen.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
