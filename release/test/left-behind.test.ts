import { expect, test } from 'vitest';
import { published, root } from '../../test/support/workspace.ts';
import { leftBehind } from '../src/left-behind.ts';
import { releasePlan } from '../src/plan.ts';
import { workspaceCopy, writeChangeset } from './support/workspace-copy.ts';

const CORE = '@railyard/core';

/** It asks for core only in what it writes. */
const WRITER = '@railyard/create-connector';

/** Packages that are built on core, as a dependency or as a peer. */
const dependants = published()
  .filter(({ manifest }) => CORE in { ...manifest.dependencies, ...manifest.peerDependencies })
  .map(({ manifest }) => manifest.name);

const refused = async (home: string) => leftBehind(home, await releasePlan(home));

test('the waiting changesets leave no package behind', async () => {
  expect(await refused(root)).toEqual([]);
});

test('a core that breaks its contract is refused until every package built on it says that it goes along', async () => {
  const home = workspaceCopy('1.0.0');
  writeChangeset(home, { [CORE]: 'major' }, 'Contract 2.');
  const first = await refused(home);
  expect(first).toHaveLength(dependants.length + 1);
  expect(first).toContainEqual(
    'packages/connector-pix: @railyard/connector-pix is built on @railyard/core, which goes from 1.0.0 to 2.0.0. Adapt it and write a major changeset for it (it has none).',
  );

  expect(first).toContainEqual(
    `packages/create-connector: ${WRITER} writes packages for @railyard/core, which goes from 1.0.0 to 2.0.0. Adapt its template and write a changeset for it.`,
  );

  const [behind = '', ...others] = dependants;
  writeChangeset(home, { [WRITER]: 'minor' });
  writeChangeset(home, Object.fromEntries(others.map((name) => [name, 'major'])));
  writeChangeset(home, { [behind]: 'minor' });
  expect(await refused(home)).toEqual([
    expect.stringMatching(new RegExp(`: ${behind} is built on @railyard/core, .* \\(it has a minor one\\)\\.$`)),
  ]);

  writeChangeset(home, { [behind]: 'major' });
  expect(await refused(home)).toEqual([]);
});

test('without the refusal a connector would take a core that breaks its contract by a patch', async () => {
  const home = workspaceCopy('1.0.0');
  writeChangeset(home, { [CORE]: 'major' });
  const connector = (await releasePlan(home)).find(({ name }) => name === '@railyard/connector-pix');
  expect(connector).toMatchObject({ from: '1.0.0', to: '1.0.1', step: 'patch', own: undefined });
});

test('a core that only adds leaves connectors as they are', async () => {
  const home = workspaceCopy('1.0.0');
  writeChangeset(home, { [CORE]: 'minor' });
  const plan = await releasePlan(home);
  expect(leftBehind(home, plan)).toEqual([]);
  expect(plan.map(({ name }) => name)).toEqual([CORE]);
});

test('a major of a package that is no peer asks nothing of its dependants', async () => {
  const home = workspaceCopy('1.0.0');
  writeChangeset(home, { '@railyard/runtime': 'major' });
  expect(await refused(home)).toEqual([]);
});
