import { published } from '../../test/support/workspace.ts';
import { UNRELEASED } from './first-releases.ts';
import type { PlannedRelease } from './plan.ts';
import { run } from './run.ts';

/** A package whose sources have changed since its last version, and that no changeset names. */
export interface UnsaidChange {
  readonly name: string;
  readonly version: string;
  /** Paths from the root. */
  readonly files: readonly string[];
}

/**
 * Changes that would stay unpublished for want of a changeset. Not every change wants one; a forgotten one looks the same.
 *
 * @param home a checkout of the repository; the version of a package began with the commit that last wrote its changelog
 */
export function unsaidChanges(home: string, plan: readonly PlannedRelease[]): UnsaidChange[] {
  const said = new Set(plan.map(({ name }) => name));
  return published(home).flatMap(({ folder, manifest: { name, version = UNRELEASED } }) => {
    if (said.has(name) || version === UNRELEASED) return [];
    const since = git(home, ['log', '-1', '--format=%H', '--', `${folder}/CHANGELOG.md`])[0];
    if (since === undefined) return [];
    const sources = ['--', `${folder}/src`, `${folder}/template`];
    const files = [
      ...git(home, ['diff', '--name-only', since, ...sources]),
      ...git(home, ['ls-files', '--others', '--exclude-standard', ...sources]),
    ];
    return files.length === 0 ? [] : [{ name, version, files }];
  });
}

const git = (home: string, args: readonly string[]): string[] =>
  run('git', args, home)
    .split('\n')
    .filter((line) => line !== '');
