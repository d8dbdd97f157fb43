import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { jsonInPipe, runInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

// Below the package, so that what is written here finds core.
const home = mkdtempSync(fixture('diff-core-'));
afterAll(() => rmSync(home, { recursive: true }));

/** A version of a package that builds on a core, with this code. */
function versionOf(version: string, core: string, code: string): string {
  const folder = join(home, `${version}-${core}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.js'), code);
  const manifest = { name: 'connector-scan', version, type: 'module', exports: './index.js' };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ ...manifest, peerDependencies: { '@railyard/core': core } }),
  );
  return folder;
}

// As defineConnector does with a connector of another contract.
const refused = `import { contractProblem } from '@railyard/core/driver'; throw new Error(contractProblem({ id: 'scan', contract: 0 }));`;
const old = versionOf('1.2.0', '^0.9.0', refused);
const loads = `export { money as scan } from '@railyard/core';`;

test('a version that was made for another core is compared by package.json: going along is a major step', async () => {
  const { code, answer } = await jsonInPipe(['diff', versionOf('1.3.0', '^1.0.0', loads), '--against', old]);
  expect({ code, ...answer }).toMatchObject({
    code: 1,
    needed: 'major',
    changes: [
      {
        bump: 'major',
        says: 'needs @railyard/core ^1.0.0, before ^0.9.0',
        note: expect.stringMatching(
          /^Only package\.json was compared: 1\.2\.0 does not load .* is written for contract 0/,
        ),
      },
    ],
  });
  const enough = await jsonInPipe(['diff', versionOf('2.0.0', '^1.0.0', loads), '--against', old]);
  expect(enough.code).toBe(0);
});

test('a version that does not load though it needs the same is no version to compare with', async () => {
  const { code, complained } = await runInPipe(['diff', versionOf('1.2.1', '^0.9.0', loads), '--against', old]);
  expect(code).toBe(2);
  expect(complained).toContain('cannot be loaded');
});
