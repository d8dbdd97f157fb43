import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { releasePlan } from '../src/plan.ts';
import { reportOf } from '../src/report.ts';
import { unsaidChanges } from '../src/unsaid-changes.ts';
import { workspaceCopy, writeChangeset, writeVersion } from './support/workspace-copy.ts';

const git = (home: string, ...args: readonly string[]): Buffer =>
  execFileSync(
    'git',
    ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false', ...args],
    {
      cwd: home,
    },
  );

/** A repository whose packages were all released and committed, and some files of it that have changed since. */
async function unsaid(changed: readonly string[], changesets: Readonly<Record<string, string>> = {}) {
  const home = workspaceCopy('1.4.0');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  for (const name of ['client', 'connector-pix']) {
    write(`packages/${name}/src/index.ts`, '// before\n');
    write(`packages/${name}/CHANGELOG.md`, '## 1.4.0\n');
  }
  writeVersion(home, 'packages/client', '0.0.0');
  git(home, 'init', '-q');
  git(home, 'add', '-A');
  git(home, 'commit', '-qm', 'Released.');
  for (const path of changed) write(path, '// after\n');
  if (Object.keys(changesets).length > 0) writeChangeset(home, changesets);
  return unsaidChanges(home, await releasePlan(home));
}

const pix = '@railyard/connector-pix';
const files = ['packages/connector-pix/src/index.ts', 'packages/connector-pix/src/limits.ts'];

test('a package that has changed without a changeset is named, with its files', async () => {
  expect(await unsaid(files)).toEqual([{ name: pix, version: '1.4.0', files }]);
});

test('a package with a changeset, a document, and a package that was never released need none', async () => {
  expect(await unsaid(files, { [pix]: 'patch' })).toEqual([]);
  expect(await unsaid(['packages/connector-pix/README.md', 'packages/client/src/index.ts'])).toEqual([]);
});

test('the report says what a changeset was perhaps forgotten for, also where nothing would be published', () => {
  expect(reportOf([], [{ name: pix, version: '1.4.0', files: ['packages/connector-pix/src/limits.ts'] }])).toBe(
    [
      '# Release',
      '',
      'Nothing waits to be released: there is no changeset.',
      '',
      '## Changed, and no changeset says so',
      '',
      'They stay as they are. Where users see the change, write one: `npm run changeset`.',
      '',
      '- @railyard/connector-pix, since 1.4.0: packages/connector-pix/src/limits.ts',
      '',
    ].join('\n'),
  );
});
