import type { Io } from '../../src/output/io.ts';
import { runCommand } from '../../src/index.ts';
import { folderOf } from './run-cli.ts';

/** Runs the command in this process, its answers on a terminal of 100 columns. */
export async function runAtTerminal(args: readonly string[], more: Partial<Io> = {}) {
  let said = '';
  let complained = '';
  const terminal = { terminal: true, columns: 100 };
  const code = await runCommand(args, {
    cwd: folderOf('packages/cli'),
    env: {},
    out: { ...terminal, write: (text) => void (said += text) },
    err: { ...terminal, write: (text) => void (complained += text) },
    canAsk: false,
    readInput: async () => '',
    askSecret: async () => '',
    stopped: () => new Promise(() => undefined),
    ...more,
  });
  return { code, said, complained };
}
