import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { npmInstall } from './support/npm-install.ts';
import { scratch } from './support/pack.ts';

let home: string;
let folder: string;

beforeEach(() => {
  home = scratch('npm-install');
  folder = join(home, 'project');
  mkdirSync(folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

/** An npm in front of the machine's, which leaves a half package and stands still as many times as is said, and then installs. */
function npmStuck(times: number): void {
  const text = `
    const { appendFileSync, mkdirSync, readFileSync } = require('node:fs');
    appendFileSync('runs', 'x');
    const stuck = readFileSync('runs', 'utf8').length <= ${times};
    mkdirSync(stuck ? 'node_modules/half' : 'node_modules/whole', { recursive: true });
    if (stuck) setInterval(() => {}, 1000);
    if (process.argv.includes('unknown')) { console.error('404 unknown'); process.exitCode = 1; }
  `;
  writeFileSync(join(home, 'npm'), text, { mode: 0o755 });
  vi.stubEnv('PATH', `${home}:${process.env['PATH'] ?? ''}`);
}

const runs = (): number => readFileSync(join(folder, 'runs'), 'utf8').length;
const isThere = (name: string): boolean => existsSync(join(folder, 'node_modules', name));

test('kills an npm that stands still, removes what it left, and asks once more', () => {
  npmStuck(1);
  npmInstall(process.execPath, [], folder, 5_000);
  expect({ runs: runs(), half: isThere('half'), whole: isThere('whole') }).toEqual({
    runs: 2,
    half: false,
    whole: true,
  });
});

test('says so when npm stands still twice', () => {
  npmStuck(9);
  const install = () => npmInstall(process.execPath, ['x'], folder, 1_000);
  expect(install).toThrow(/^npm install .* x did not end within 1000 ms, twice/);
});

test('does not ask again when npm fails', () => {
  npmStuck(0);
  expect(() => npmInstall(process.execPath, ['unknown'], folder)).toThrow('404 unknown');
  expect(runs()).toBe(1);
});
