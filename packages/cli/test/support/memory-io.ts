import type { Io } from '../../src/output/io.ts';
import { runCommand } from '../../src/index.ts';
import { folderOf } from './run-cli.ts';

interface MemoryRun {
  readonly code: number;
  readonly said: string;
  readonly complained: string;
}

async function runIn(terminal: boolean, args: readonly string[], more: Partial<Io>): Promise<MemoryRun> {
  let said = '';
  let complained = '';
  const stream = { terminal, columns: 100 };
  const code = await runCommand(args, {
    cwd: folderOf('packages/cli'),
    env: {},
    out: { ...stream, write: (text) => void (said += text) },
    err: { ...stream, write: (text) => void (complained += text) },
    canAsk: false,
    readInput: async () => '',
    askSecret: async () => '',
    stopped: () => new Promise(() => undefined),
    ...more,
  });
  return { code, said, complained };
}

/** Runs the command in this process, its answers on a terminal of 100 columns. */
export const runAtTerminal = (args: readonly string[], more: Partial<Io> = {}) => runIn(true, args, more);

/** As `runAtTerminal`, its answers in pipes. */
export const runInPipe = (args: readonly string[], more: Partial<Io> = {}) => runIn(false, args, more);

/** Runs the command in this process with `--json`. */
export async function jsonInPipe(args: readonly string[], more: Partial<Io> = {}) {
  const { code, said } = await runInPipe([...args, '--json'], more);
  return { code, answer: JSON.parse(said) };
}
