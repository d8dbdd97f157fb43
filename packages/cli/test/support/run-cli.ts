import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The sources of the command `railyard`. */
export const bin = fileURLToPath(new URL('../../src/bin.ts', import.meta.url));

/** A folder of this repository, as `packages/connector-pix`. */
export const folderOf = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

export const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

export const fixtureJson = (name: string) => JSON.parse(readFileSync(fixture(name), 'utf8'));

export interface Ran {
  readonly code: number | null;
  readonly said: string;
  readonly complained: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What stands on its standard input. */
  readonly input?: string;
}

/** Starts the command as a process of its own, its answers in pipes. */
export function startCli(args: readonly string[], { cwd = folderOf('packages/cli'), env = {} }: RunOptions = {}) {
  return spawn(process.execPath, ['--conditions=@railyard/source', bin, ...args], {
    cwd,
    env: { ...process.env, ...env },
  });
}

/** Runs the command to its end. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = startCli(args, options);
  let said = '';
  let complained = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString('utf8')));
  child.stdin.end(options.input ?? '');
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { code, said, complained };
}

/** Runs the command with `--json`. @returns its code and its answer, read */
export async function runJson(args: readonly string[], options: RunOptions = {}) {
  const { code, said, complained } = await runCli([...args, '--json'], options);
  if (complained !== '') throw new Error(complained);
  return { code, answer: JSON.parse(said) };
}
