import { expect, test } from 'vitest';
import { published, root } from '../../test/support/workspace.ts';
import { raiseVersions } from '../src/make-release.ts';
import { unknownPackages } from '../src/unknown-packages.ts';
import { workspaceCopy, writeChangeset } from './support/workspace-copy.ts';

test('the waiting changesets name packages that are published from here', async () => {
  expect(await unknownPackages(root)).toEqual([]);
});

test('a changeset that names no package is refused by its file, with the names that there are', async () => {
  const home = workspaceCopy('1.0.0');
  writeChangeset(home, { railyard: 'patch' });
  const names = published().map(({ manifest }) => manifest.name);
  await expect(raiseVersions(home)).rejects.toThrow(
    new RegExp(
      `^Changesets name what is not here:\\n {2}\\.changeset/change-\\d+\\.md: railyard is none of ${names.join(', ')}$`,
    ),
  );
});
