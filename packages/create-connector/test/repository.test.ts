import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { manifestOf, repositoryUrl } from '../src/index.ts';
import { remoteOf } from '../src/repository.ts';

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'railyard-repository-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.each([
  ['you/sun-pay', 'git+https://github.com/you/sun-pay.git'],
  ['git@git.example:you/sun.pay.git', 'git+https://git.example/you/sun.pay.git'],
  ['ssh://git@git.example:2222/you/sun', 'git+https://git.example/you/sun.git'],
  ['https://git.example/group/you/sun/', 'git+https://git.example/group/you/sun.git'],
  ['git+https://git.example/you/sun.git', 'git+https://git.example/you/sun.git'],
])('the repository %s stands in package.json as %s', (given, url) => {
  expect(repositoryUrl(given)).toBe(url);
});

test('a password in an address does not reach package.json', () => {
  expect(repositoryUrl('https://ada:a-secret@git.example/you/sun.git')).toBe('git+https://git.example/you/sun.git');
});

test.each(['sun', '/srv/git/sun.git', '../sun', 'file:///srv/sun.git', ''])(
  '%j is no address of a repository',
  (given) => {
    expect(() => repositoryUrl(given)).toThrow('Say you/name for one on GitHub');
  },
);

test('a folder whose git pushes somewhere says so by itself', () => {
  const folder = emptyFolder();
  expect(remoteOf(folder)).toBeUndefined();
  spawnSync('git', ['init', '-q'], { cwd: folder });
  expect(remoteOf(folder)).toBeUndefined();
  spawnSync('git', ['remote', 'add', 'origin', 'git@git.example:you/sun.git'], { cwd: folder });
  expect(remoteOf(folder)).toBe('git+https://git.example/you/sun.git');
  // A folder within somebody's repository is not that repository.
  mkdirSync(join(folder, 'within'));
  expect(remoteOf(join(folder, 'within'))).toBeUndefined();
});

test('packed files that stand in for the registry do not reach what others install beside the package', () => {
  const overrides = { '@railyard/core': 'file:/packed/railyard-core-1.2.3.tgz' };
  const tools = ['@changesets/cli', '@railyard/conformance', '@types/node', 'tsup', 'typescript', 'vitest'];
  const ranges = {
    '@railyard/core': '^1.2.3',
    zod: '4.6.7',
    ...Object.fromEntries(tools.map((name) => [name, '1.0.0'])),
  };
  const names = { package: 'sun', provider: 'Sun', method: 'sun', repository: repositoryUrl('you/sun') };
  expect(manifestOf(names, { ranges, overrides })).toMatchObject({
    repository: { type: 'git', url: 'git+https://github.com/you/sun.git' },
    peerDependencies: { '@railyard/core': '^1.2.3', zod: '^4.6.7' },
    devDependencies: { '@railyard/core': 'file:/packed/railyard-core-1.2.3.tgz' },
  });
});

const workflow = readFileSync(new URL('../template/.github/workflows/release.yml', import.meta.url), 'utf8');
const step = /- run: \|\n( {10}npm pkg get[^]*?)\n {6}- /.exec(workflow)?.[1] ?? '';

/** Runs the step of the workflow that asks for the repository, in a repository of this name. */
function askFor(name: string, repository: unknown) {
  const folder = emptyFolder();
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'sun', repository }));
  const env = { ...process.env, GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: name };
  const { status, stdout } = spawnSync('bash', ['-c', step], { cwd: folder, env, encoding: 'utf8' });
  return { status, stdout };
}

test.each([
  { type: 'git', url: repositoryUrl('you/sun') },
  { type: 'git', url: 'https://github.com/You/Sun' },
  'github:you/sun',
])('a release begins where package.json names its repository: %j', (repository) => {
  expect(askFor('you/sun', repository)).toEqual({ status: 0, stdout: '' });
});

test.each([undefined, { type: 'git', url: repositoryUrl('you/sun-2') }, 'github:me-and-you/sun'])(
  'a release stops before it publishes where package.json names another repository or none: %j',
  (repository) => {
    const { status, stdout } = askFor('you/sun', repository);
    expect(status).toBe(1);
    expect(stdout).toContain('npm pkg set repository.type=git repository.url=git+https://github.com/you/sun.git');
  },
);
