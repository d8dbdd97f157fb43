import { describe, expect, test } from 'vitest';
import { textFiles } from './support/workspace.ts';

/** Those of this repository, and those that every new connector package is given. */
const workflows = textFiles((path) => /(^|\/)\.github\/workflows\/.*\.yml$/.test(path));
const [manifest] = textFiles((path) => path === 'pnpm-workspace.yaml');

describe.each(workflows)('$path', ({ path, text }) => {
  const used = [...text.matchAll(/uses: (\S+)@(\S+(?: # \S+)?)/g)].map(([, name = '', version = '']) => ({
    name,
    version,
  }));

  test('takes every action by its commit, with the version beside it', () => {
    expect(used.length).toBeGreaterThan(0);
    for (const { name, version } of used)
      // The commit of this version is named by no source that could be reached.
      if (name === 'changesets/action') expect(version).toBe('v2.1.2');
      else expect(version).toMatch(/^[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('holds no secret: npm trusts the workflow itself', () => {
    expect(text).not.toMatch(/secrets\.|NPM_TOKEN|NODE_AUTH_TOKEN|registry-url/);
  });

  test('has no right but those that a job names', () => {
    expect(text).toMatch(/^permissions:( \{\}|\n {2}contents: read)$/m);
    if (!path.endsWith('release.yml')) expect(text).not.toMatch(/: write/);
  });

  test('runs the gates that a change must pass', () => {
    const gates = path.includes('/template/')
      ? '      - run: npm run check\n'
      : path.endsWith('release.yml')
        ? '    uses: ./.github/workflows/ci.yml\n'
        : '      - run: bash .ci/run ${{ matrix.stage }}\n';
    expect(text).toContain(gates);
  });
});

describe.each(workflows.filter(({ path }) => path.endsWith('release.yml')))('$path', ({ text }) => {
  test('publishes with provenance, in the environment that npm trusts', () => {
    expect(text).toMatch(/^ {4}environment: npm$/m);
    expect(text).toMatch(/^ {6}id-token: write$/m);
    expect(text).toMatch(/^ {10}P?NPM_CONFIG_PROVENANCE: 'true'$/m);
  });

  // The first version of the action reads what the second version of changesets says: with the third it publishes, and makes neither
  // tags nor releases (https://github.com/changesets/action/releases/tag/v2.0.0).
  test('takes the action that is made for the installed changesets', () => {
    expect(manifest?.text).toMatch(/"@changesets\/cli": 3\./);
    expect(text).toMatch(/changesets\/action@v2\.[^]*\n {10}version-script: .*\n {10}publish-script: /);
  });
});
