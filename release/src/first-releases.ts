import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChangesets } from '@changesets/read';
import { published } from '../../test/support/workspace.ts';

/** The version in package.json until a package is released for the first time. */
export const UNRELEASED = '0.0.0';

/**
 * Makes of the waiting changesets of every package that was never released one: its first version is 1.0.0 whatever they say, because
 * below 1.0.0 npm's ranges take every minor step for a break, and a peer range such as `^0.4.0` would shut out the next core. Its
 * changelog begins with what the package is for; changes to a version that was never released interest no user.
 *
 * @param root of the workspace whose .changeset is written to
 * @returns the names of those packages
 */
export async function writeFirstReleases(root: string): Promise<string[]> {
  const first = published(root).filter(({ manifest }) => manifest.version === UNRELEASED);
  const names = first.map(({ manifest }) => manifest.name);
  for (const { id, releases, summary } of await readChangesets(root)) {
    const others = releases.filter(({ name }) => !names.includes(name));
    if (others.length < releases.length) rmSync(join(root, '.changeset', `${id}.md`));
    if (others.length > 0 && others.length < releases.length) writeChangeset(root, id, others, summary);
  }
  for (const { folder, manifest } of first) {
    const id = `first-release-of-${folder.replace('packages/', '')}`;
    writeChangeset(
      root,
      id,
      [{ name: manifest.name, type: 'major' }],
      `First release. ${manifest.description ?? ''}`.trim(),
    );
  }
  return names;
}

function writeChangeset(
  root: string,
  id: string,
  releases: readonly { readonly name: string; readonly type: string }[],
  summary: string,
): void {
  const steps = releases.map(({ name, type }) => `'${name}': ${type}\n`).join('');
  writeFileSync(join(root, '.changeset', `${id}.md`), `---\n${steps}---\n\n${summary}\n`);
}
