import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../../test/support/workspace.ts';

/** A stage that found something: what is wrong, one line each. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly found: readonly string[];

  constructor(stage: string, found: readonly string[]) {
    super(`${stage}:\n${found.map((line) => `  ${line}`).join('\n')}`);
    this.found = found;
  }
}

export function refuseIf(stage: string, found: readonly string[]): void {
  if (found.length > 0) throw new Refused(stage, found);
}

export interface Ran {
  readonly ok: boolean;
  /** Standard output. */
  readonly out: string;
  /** Everything it said. */
  readonly text: string;
}

export function attempt(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Ran {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw error;
  // Some programs colour their output without a terminal where CI is set, and their output is parsed here.
  const [out, complaint] = [stripVTControlCharacters(stdout), stripVTControlCharacters(stderr)];
  return { ok: status === 0, out, text: `${out}${complaint}`.trim() };
}

/** @throws Refused with everything that the program said, where it fails */
export function run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): string {
  const { ok, out, text } = attempt(program, args, cwd, env);
  refuseIf(`${program} ${args.join(' ')} failed in ${cwd}`, ok ? [] : text.split('\n'));
  return out;
}

/** Runs a program at the caller's terminal: it may ask. @throws Refused where it fails */
export function handOver(program: string, args: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(program, args, { cwd, stdio: 'inherit' });
  if (error !== undefined) throw error;
  refuseIf(`${program} ${args.join(' ')} failed in ${cwd}`, status === 0 ? [] : ['see above']);
}

/** A program that the repository's own dependencies bring. */
export const bin = (name: string): string => join(root, 'node_modules/.bin', name);
