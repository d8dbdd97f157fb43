import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The sources of the command `railyard-checkout`. */
export const bin = fileURLToPath(new URL('../../src/bin.ts', import.meta.url));

/** Runs the command to its end. */
export async function runBin(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ['--conditions=@railyard/source', bin, ...args], {
    cwd,
    env: { ...process.env, ...env },
  });
  let said = '';
  let complained = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString('utf8')));
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { code, said, complained };
}
