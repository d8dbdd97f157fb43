import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { root } from './support/workspace.ts';

const IMPURE = {
  fetch: `export const a = fetch('https://example.com');`,
  'the clock by Date.now': `export const a = Date.now();`,
  'the clock by new Date()': `export const a = new Date();`,
  'the clock by Date()': `export const a = Date();`,
  'the clock by an alias': `const D = Date;\nexport const a = D;`,
  performance: `export const a = performance.now();`,
  'a timer': `setTimeout(() => undefined, 1);`,
  'an interval': `setInterval(() => undefined, 1);`,
  'Math.random': `export const a = Math.random();`,
  'Math.random by destructuring': `export const { random } = Math;`,
  'Math.random by a computed name': `export const a = Math['random']();`,
  crypto: `export const a = crypto.randomUUID();`,
  process: `export const a = process.env;`,
  globalThis: `export const a = globalThis;`,
  'the Function constructor': `export const a = new Function('return 1');`,
  console: `console.info('x');`,
  'a Node module': `import { readFileSync } from 'node:fs';\nexport const a = readFileSync;`,
  'a Node module without its prefix': `import { join } from 'path';\nexport const a = join;`,
  'a Node module by re-export': `export { join } from 'node:path';`,
  'a dynamic import': `export const a = await import('./b.ts');`,
  'import.meta': `export const a = import.meta.url;`,
};

const PURE = `
export const a = new Date(5).toISOString();
export const b = Date.UTC(2026, 0, 1);
export const c = Math.max(1, 2);
export const d = (process: number) => process + 1;
export const e: Record<string, Partial<Request>> = {};
export const f = (x: unknown) => x instanceof Date;
`;

const HASH = `import { createHash } from 'node:crypto';
export const a = createHash('sha256').update(Buffer.from('a')).digest();`;

const report = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) });
const folders = ['packages/core/src', 'packages/connector-sample/src/provider', 'packages/identifiers/src'];
let flagged: Map<string, string[]>;
let home: string;

// One run of the linter over all samples, with the repository's own configuration, in a folder of its own.
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'railyard-purity-'));
  cpSync(join(root, '.oxlintrc.json'), join(home, '.oxlintrc.json'));
  cpSync(join(root, 'tools/lint'), join(home, 'tools/lint'), { recursive: true });
  for (const folder of folders) {
    Object.values(IMPURE).forEach((text, index) => write(`${folder}/impure-${index}.ts`, text));
    write(`${folder}/pure.ts`, PURE);
  }
  write('packages/connector-sample/src/wallet-tokens/hash.ts', HASH);
  write('packages/connector-sample/src/wallet-tokens/clock.ts', IMPURE['the clock by Date.now']);
  write('packages/checkout/src/clock.ts', IMPURE['the clock by Date.now']);
  flagged = lint();
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), `${text}\n`);
}

function lint(): Map<string, string[]> {
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format=json', '.'], {
    cwd: home,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const found = new Map<string, string[]>();
  for (const { code, filename } of report.parse(JSON.parse(stdout)).diagnostics) {
    found.set(filename, [...(found.get(filename) ?? []), code]);
  }
  return found;
}

test.each(Object.keys(IMPURE).map((name, index) => [name, index] as const))(
  'the linter refuses %s in core, identifiers and connectors',
  (_name, index) => {
    for (const folder of folders) {
      expect(flagged.get(`${folder}/impure-${index}.ts`), folder).toContain('railyard(pure)');
    }
  },
);

test('the linter accepts arithmetic on given moments, and types of the outside world', () => {
  for (const folder of folders) expect(flagged.get(`${folder}/pure.ts`)).toBeUndefined();
});

test('the linter lets what only services load use the platform’s cryptography, and no clock', () => {
  const folder = 'packages/connector-sample/src/wallet-tokens';
  expect(flagged.get(`${folder}/hash.ts`)).toBeUndefined();
  expect(flagged.get(`${folder}/clock.ts`)).toContain('railyard(pure)');
});

test('the linter lets a service read the clock', () => {
  expect(flagged.get('packages/checkout/src/clock.ts') ?? []).not.toContain('railyard(pure)');
});

test('the linter reads every source of core', () => {
  const args = ['--config', '.oxlintrc.json', '--quiet', '--format=json', 'packages/core/src'];
  const output = spawnSync(join(root, 'node_modules/.bin/oxlint'), args, { cwd: root, encoding: 'utf8' }).stdout;
  const tracked = execFileSync('git', ['ls-files', 'packages/core/src'], { cwd: root, encoding: 'utf8' });
  const { number_of_files: read } = z.looseObject({ number_of_files: z.number() }).parse(JSON.parse(output));
  expect(read).toBeGreaterThanOrEqual(tracked.trim().split('\n').length);
});
