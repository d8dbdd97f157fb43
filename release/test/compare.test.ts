import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../../test/support/workspace.ts';
import { compareWithBefore } from '../src/compare.ts';
import type { PlannedRelease, Step } from '../src/plan.ts';

const name = '@railyard/connector-pix';
const home = mkdtempSync(join(tmpdir(), 'railyard-compare-'));
const previous = join(home, 'previous');
mkdirSync(previous);
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A package with one method, packed. */
function tarball(version: string, currencies: readonly string[], into: string, begin = ''): string {
  const folder = mkdtempSync(join(home, 'version-'));
  mkdirSync(join(folder, 'package'));
  writeFileSync(
    join(folder, 'package/index.js'),
    `${begin}import { defineMethod } from '@railyard/core';
import * as z from 'zod';
export const scan = defineMethod({
  key: 'scan', title: 'Scan', currencies: ${JSON.stringify(currencies)},
  operations: { purchase: { parameters: z.strictObject({}), completion: ['qr'] } },
});\n`,
  );
  const manifest = { name, version, type: 'module', exports: { '.': './index.js' } };
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify(manifest));
  const file = join(into, `scan-${version}.tgz`);
  execFileSync('tar', ['-czf', file, '-C', folder, 'package']);
  return file;
}

const planned = (from: string, to: string, step: Step): PlannedRelease => ({
  name,
  folder: 'packages/connector-pix',
  from,
  to,
  step,
  own: step,
  reasons: [{ step, says: 'Fewer currencies.' }],
});

const before = { home: root, previous, downloads: join(home, 'downloads') };
tarball('1.0.0', ['EUR', 'USD'], previous);

test('a step that is too small for what has changed is refused', () => {
  const now = tarball('1.0.1', ['EUR'], home);
  expect(compareWithBefore(planned('1.0.0', '1.0.1', 'patch'), now, before)).toEqual({
    name,
    needed: 'major',
    offence: `${name} goes from 1.0.0 to 1.0.1, but needs a major step: method scan currency USD is gone. Write a changeset (major).`,
  });
});

test('a step that is large enough is taken', () => {
  const now = tarball('2.0.0', ['EUR'], home);
  expect(compareWithBefore(planned('1.0.0', '2.0.0', 'major'), now, before)).toEqual({ name, needed: 'major' });
});

test('a version before that does not load beside a new core keeps no major step back, and any smaller one', () => {
  tarball('1.5.0', ['EUR'], previous, `throw new Error('made for another core');\n`);
  const now = tarball('2.0.0', ['EUR'], home);
  expect(compareWithBefore(planned('1.5.0', '2.0.0', 'major'), now, before)).toEqual({ name });
  expect(compareWithBefore(planned('1.5.0', '1.6.0', 'minor'), now, before).offence).toMatch(
    /cannot be compared with 1\.5\.0: .*made for another core/s,
  );
});

test('a first release is compared with nothing', () => {
  expect(compareWithBefore(planned('0.0.0', '1.0.0', 'major'), 'no.tgz', before)).toEqual({ name });
});

test('a version before that is not among the given tarballs is refused', () => {
  expect(compareWithBefore(planned('1.1.0', '1.1.1', 'patch'), 'no.tgz', before).offence).toBe(
    `${name} 1.1.0 is not there to compare with`,
  );
});
