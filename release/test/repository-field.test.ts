import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeRepository } from '../src/repository-field.ts';
import { workspaceCopy } from './support/workspace-copy.ts';

const manifestIn = (home: string): unknown =>
  JSON.parse(readFileSync(join(home, 'packages/connector-pix/package.json'), 'utf8'));

test('a package that a workflow publishes names the repository that built it', () => {
  const home = workspaceCopy('1.0.0');
  writeRepository(home, { GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'shop-team/railyard' });
  expect(manifestIn(home)).toMatchObject({
    name: '@railyard/connector-pix',
    homepage: 'https://git.example/shop-team/railyard/tree/HEAD/packages/connector-pix#readme',
    bugs: 'https://git.example/shop-team/railyard/issues',
    repository: {
      type: 'git',
      url: 'git+https://git.example/shop-team/railyard.git',
      directory: 'packages/connector-pix',
    },
  });
});

test('elsewhere nothing is written', () => {
  const home = workspaceCopy('1.0.0');
  writeRepository(home, {});
  expect(manifestIn(home)).not.toHaveProperty('repository');
});
