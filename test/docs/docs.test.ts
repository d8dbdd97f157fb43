import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { packages, readManifest, root, textFiles } from '../support/workspace.ts';
import { blocksOf, isRun, place, programs } from './blocks.ts';
import { runProgram, typecheck, writeProgram } from './programs.ts';
import { blockOffences } from './rules.ts';
import type { Known } from './shell.ts';

const documents = textFiles((path) =>
  /^((README|CONTRIBUTING|SECURITY)\.md|(docs|demo|examples)\/.*\.md|(packages|clients)\/[^/]+\/README\.md)$/.test(
    path,
  ),
);
const blocks = documents.flatMap(blocksOf);
const run = `docs-${process.pid}`;
const written = programs(blocks).map((block) => ({ block, name: place(block), file: writeProgram(block, run) }));

afterAll(() => {
  for (const { file } of written) rmSync(dirname(file), { recursive: true, force: true });
});

const catalog = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
const known: Known = {
  // Those of a connector that was just created are run by the guide.
  scripts: new Set([...Object.keys(readManifest('.').scripts), 'check', 'readme']),
  packages: new Set(packages().map(({ manifest }) => manifest.name)),
  commands: new Set(packages().flatMap(({ manifest: { bin } }) => (typeof bin === 'object' ? Object.keys(bin) : []))),
  libraries: new Set([...catalog.matchAll(/^ {2}"?([^":\s]+)"?: \^?\d/gm)].map((match) => match[1] ?? '')),
  exists: (path) => existsSync(join(root, path)),
};

test('the README shows the two commands', () => {
  const shown = blocks.filter(({ path, language }) => path === 'README.md' && language === 'bash');
  const text = shown.map((block) => block.text).join('\n');
  expect(text).toMatch(/^npm start$/m);
  expect(text).toMatch(/^npm test$/m);
});

test('every block names its language, every JSON block parses, every command exists', () => {
  expect(blocks.flatMap((block) => blockOffences(block, known))).toEqual([]);
});

test('every TypeScript block typechecks', () => {
  const found = typecheck(written.filter(({ block }) => block.language === 'ts').map(({ file }) => file));
  const offences = written.flatMap(({ name, file }) => (found.get(file) ?? []).map((text) => `${name}: ${text}`));
  expect(offences).toEqual([]);
});

test.for(written.filter(({ block }) => isRun(block)))('the program at $name runs to its end', async ({ file }) => {
  expect(await runProgram(file)).toBe('');
});
