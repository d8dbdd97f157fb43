import { expect, test } from 'vitest';
import { published } from '../../test/support/workspace.ts';
import { writeFirstReleases } from '../src/first-releases.ts';
import { releasePlan } from '../src/plan.ts';
import { workspaceCopy, writeChangeset } from './support/workspace-copy.ts';

const names = published().map(({ manifest }) => manifest.name);

test('the first release of every package is 1.0.0, whatever its changesets say', async () => {
  const home = workspaceCopy('0.0.0');
  writeChangeset(home, { '@railyard/core': 'patch' }, 'A fix.');
  expect(writeFirstReleases(home)).toEqual(names);
  const plan = await releasePlan(home);
  expect(plan.map(({ name, to }) => `${name} ${to}`)).toEqual(names.map((name) => `${name} 1.0.0`));
  expect(plan.find(({ name }) => name === '@railyard/core')?.reasons).toEqual([
    { step: 'patch', says: 'A fix.' },
    { step: 'major', says: 'First release.' },
  ]);
});

test('a package that was released keeps its own pace', async () => {
  const home = workspaceCopy('1.4.0');
  expect(writeFirstReleases(home)).toEqual([]);
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
