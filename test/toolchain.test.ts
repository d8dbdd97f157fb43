import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratch } from './support/pack.ts';
import { root } from './support/workspace.ts';

/** Installs a file instead of Node: the first one waits for another to begin, that one until the test has seen the first end. */
const NPM = `
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const place = process.argv[process.argv.indexOf('--prefix') + 1];
const [name] = process.argv.at(-1).split('@');
const marks = process.env.MARKS;
const seen = async (mark) => { while (!existsSync(join(marks, mark))) await new Promise((resolve) => setTimeout(resolve, 10)); };
const mine = existsSync(join(marks, 'first')) ? 'second' : 'first';
mkdirSync(join(marks, mine));
if (mine === 'second') await seen('go-on');
mkdirSync(join(place, 'node_modules', name, 'bin'), { recursive: true });
writeFileSync(join(place, 'node_modules', name, 'bin/node'), '');
if (mine === 'first') await seen('second');
`;

/** Stands still the first time, amid a package, and installs the second time. */
const STANDING_NPM = `
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const folder = join(process.argv[process.argv.indexOf('--prefix') + 1], 'node_modules');
const package_ = join(folder, process.argv.at(-1).split('@')[0], 'bin');
const mark = join(process.env.MARKS, 'first');
if (existsSync(mark)) {
  mkdirSync(package_, { recursive: true });
  writeFileSync(join(package_, 'node'), '');
} else {
  mkdirSync(mark);
  mkdirSync(join(folder, 'half'), { recursive: true });
  setInterval(() => {}, 1000);
}
`;

function home(): string {
  const folder = scratch('toolchain');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'marks'));
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
  writeFileSync(join(folder, 'npm-cli.js'), NPM);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

/** Asks for a Node. @returns its path */
function nodePath(folder: string): Promise<string> {
  const env = { ...process.env, npm_execpath: join(folder, 'npm-cli.js'), MARKS: join(folder, 'marks') };
  const child = spawn(process.execPath, [join(folder, 'scripts/node-path.mjs'), '1.2.3'], { env });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  return new Promise((resolve) => {
    child.once('close', () => resolve(text.trim().split('\n').at(-1) ?? ''));
  });
}

test('two tests that fetch the same Node at once both have it, and nothing is left beside it', async () => {
  const folder = home();
  const first = nodePath(folder);
  await expect.poll(() => existsSync(join(folder, 'marks/first'))).toBe(true);
  const second = nodePath(folder);
  const path = await first;
  expect([path.startsWith(folder), existsSync(path)]).toEqual([true, true]);
  mkdirSync(join(folder, 'marks/go-on'));
  expect([await second, existsSync(path)]).toEqual([path, true]);
  expect(readdirSync(join(folder, '.tools'))).toHaveLength(1);
});

test('a Node of which a part was taken away is fetched again', async () => {
  const folder = home();
  for (const mark of ['second', 'go-on']) mkdirSync(join(folder, 'marks', mark));
  const path = await nodePath(folder);
  rmSync(dirname(dirname(path)), { recursive: true });
  rmSync(join(folder, 'marks/first'), { recursive: true });
  expect([await nodePath(folder), existsSync(path)]).toEqual([path, true]);
});

test('an npm that stands still is killed, what it left is removed, and npm is asked once more', async () => {
  const folder = home();
  writeFileSync(join(folder, 'npm-cli.js'), STANDING_NPM);
  const script = join(folder, 'scripts/toolchain.mjs');
  const text = readFileSync(script, 'utf8');
  expect(text).toContain('NPM_LIMIT_MS = 300_000');
  writeFileSync(script, text.replace('NPM_LIMIT_MS = 300_000', 'NPM_LIMIT_MS = 5_000'));
  const path = await nodePath(folder);
  expect([path.startsWith(folder), existsSync(path)]).toEqual([true, true]);
  expect(readdirSync(dirname(dirname(dirname(path))))).not.toContain('half');
});
