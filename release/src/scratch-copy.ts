import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../test/support/workspace.ts';
import { run } from './run.ts';

/**
 * A copy of the repository as it stands, changes that are not committed included, with its dependencies installed. A release writes
 * versions, changelogs and builds; all of it happens in the copy.
 *
 * @param into a folder that does not exist yet
 */
export function scratchCopy(into: string): void {
  // A clone and not a copy of files: changelogs name the commits that brought the changesets.
  run('git', ['clone', '--quiet', '--no-tags', root, into], root);
  for (const path of changed(['--modified', '--others', '--exclude-standard'])) {
    rmSync(join(into, path), { recursive: true, force: true });
    if (existsSync(join(root, path))) cpSync(join(root, path), join(into, path));
  }
  install(into);
}

/** @throws Error where the lockfile does not fit, which a release must not mend by itself */
export function install(home: string): void {
  run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--ignore-scripts'], home);
}

function changed(which: readonly string[]): string[] {
  const output = run('git', ['ls-files', '-z', ...which], root);
  return [...new Set(output.split('\0'))].filter((path) => path !== '');
}
