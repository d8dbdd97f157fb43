import { expect, test } from 'vitest';
import { published, readManifest } from '../../test/support/workspace.ts';
import { writeFirstReleases } from '../src/first-releases.ts';
import { releasePlan } from '../src/plan.ts';
import { workspaceCopy, writeChangeset, writeVersion } from './support/workspace-copy.ts';

const names = published().map(({ manifest }) => manifest.name);

test('the first release of every package is 1.0.0, whatever its changesets say, and says what the package is for', async () => {
  const home = workspaceCopy('0.0.0');
  writeChangeset(home, { '@railyard/core': 'patch', '@railyard/checkout': 'minor' }, 'A fix.');
  expect(await writeFirstReleases(home)).toEqual(names);
  const plan = await releasePlan(home);
  expect(plan.map(({ name, to }) => `${name} ${to}`)).toEqual(names.map((name) => `${name} 1.0.0`));
  for (const { folder, reasons } of plan) {
    const { description } = readManifest(folder);
    expect(reasons).toEqual([{ step: 'major', says: `First release. ${description}` }]);
  }
});

test('a changeset says the same of a released package and of one that was not', async () => {
  const home = workspaceCopy('1.4.0');
  writeVersion(home, 'packages/client', '0.0.0');
  writeChangeset(home, { '@railyard/identifiers': 'minor', '@railyard/client': 'patch' }, 'One more country.');
  writeChangeset(home, { '@railyard/client': 'minor' }, 'Something before anybody had it.');
  expect(await writeFirstReleases(home)).toEqual(['@railyard/client']);
  expect((await releasePlan(home)).map(({ name, to, reasons }) => [name, to, reasons.map(({ says }) => says)])).toEqual(
    [
      ['@railyard/client', '1.0.0', [expect.stringMatching(/^First release\. A merchant/)]],
      ['@railyard/identifiers', '1.5.0', ['One more country.']],
    ],
  );
});

test('a package that was released keeps its own pace', async () => {
  const home = workspaceCopy('1.4.0');
  expect(await writeFirstReleases(home)).toEqual([]);
  writeChangeset(home, { '@railyard/identifiers': 'minor' }, 'One more country.');
  expect(await releasePlan(home)).toEqual([
    {
      name: '@railyard/identifiers',
      folder: 'packages/identifiers',
      from: '1.4.0',
      to: '1.5.0',
      step: 'minor',
      own: 'minor',
      reasons: [{ step: 'minor', says: 'One more country.' }],
    },
  ]);
});
