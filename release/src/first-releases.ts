import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { published } from '../../test/support/workspace.ts';

/** What package.json says until a package is released for the first time. */
export const UNRELEASED = '0.0.0';

/**
 * Writes a major changeset for every package that was never released, so that its first version is 1.0.0 whatever its waiting changesets
 * say: below 1.0.0 npm's ranges take every minor step for a break, and a peer range such as `^0.4.0` would shut out the next core.
 *
 * @param root of the workspace whose .changeset is written to
 * @returns the names of those packages
 */
export function writeFirstReleases(root: string): string[] {
  const first = published(root).filter(({ manifest }) => manifest.version === UNRELEASED);
  for (const { folder, manifest } of first) {
    const text = `---\n'${manifest.name}': major\n---\n\nFirst release.\n`;
    writeFileSync(join(root, '.changeset', `first-release-of-${folder.replace('packages/', '')}.md`), text);
  }
  return first.map(({ manifest }) => manifest.name);
}
