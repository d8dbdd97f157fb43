import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { npm, pack, scratch } from './support/pack.ts';

let home: string;
let tarballs: string;

/** What a new connector's folder installs of ours, and the command that writes it. */
const PACKED = ['core', 'runtime', 'simulator', 'conformance', 'create-connector'];

beforeAll(() => {
  home = scratch('scaffold');
  tarballs = join(home, 'packed');
  mkdirSync(tarballs);
  for (const name of PACKED) {
    const tarball = pack(`packages/${name}`, home);
    copyFileSync(tarball, join(tarballs, basename(tarball)));
  }
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs npm in a folder; answers what it said where it failed, else nothing. */
function failureOf(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, CI: 'true' },
  });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

test('a connector that was just created from packed packages builds, typechecks and conforms without an edit; broken, it does not', () => {
  const create = join(tarballs, 'railyard-create-connector-0.0.0.tgz');
  const folder = join(home, 'railyard-connector-sun-pay');
  npm(
    process.execPath,
    [
      'exec',
      '--yes',
      `--package=${create}`,
      '--',
      'create-connector',
      folder,
      '--tarballs',
      tarballs,
      '--install',
      '--yes',
    ],
    home,
  );
  expect(failureOf(['run', 'check'], folder)).toBe('');

  const statuses = join(folder, 'src/sun-pay/statuses.ts');
  const good = readFileSync(statuses, 'utf8');
  writeFileSync(statuses, good.replace("OPEN: 'pending'", "OPEN: 'settled'"));
  expect(failureOf(['test'], folder)).toContain('Failed Tests');
}, 240_000);
