import { spawnSync } from 'node:child_process';
import { realpathSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { onPath } from './tool.ts';

/** npm 11 has stood still amid unpacking a tarball and never ended (seen once; installs take seconds). */
const LIMIT_MS = 120_000;

/**
 * Installs with npm on the given Node, which is then also the Node of everything that npm starts. An npm that does not end is killed,
 * what it left is removed, and npm is asked once more.
 *
 * @param folder the project; it has no node_modules yet
 * @throws Error with what npm said where it fails, or does not end twice
 */
export function npmInstall(node: string, args: readonly string[], folder: string, limitMs = LIMIT_MS): void {
  const program = onPath(['npm']);
  if (program === undefined) throw new Error('npm is not on the PATH; install npm, then run the tests again');
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...args];
  const PATH = `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}`;
  const once = () =>
    spawnSync(node, [realpathSync(program), ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH },
      timeout: limitMs,
      killSignal: 'SIGKILL',
    });
  let ran = once();
  if (isStuck(ran.error)) {
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
    ran = once();
  }
  const said = `${ran.stdout}${ran.stderr}`;
  if (isStuck(ran.error)) throw new Error(`npm ${words.join(' ')} did not end within ${limitMs} ms, twice:\n${said}`);
  if (ran.error !== undefined) throw new Error(`npm could not be started on ${node}: ${ran.error.message}`);
  if (ran.status !== 0) throw new Error(`npm ${words.join(' ')} failed:\n${said}`);
}

const isStuck = (error: Error | undefined): boolean =>
  error !== undefined && 'code' in error && error.code === 'ETIMEDOUT';
