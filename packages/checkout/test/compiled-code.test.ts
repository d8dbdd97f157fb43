import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseFolder } from './support/database-folder.ts';
import { rm } from 'node:fs/promises';

/** Begins to keep compiled code, loads a module, and ends, which writes what is kept. */
const KEEPING = `
  process.umask(0o077);
  const { keepCompiledCode } = await import('./src/commands/compiled-code.ts');
  keepCompiledCode(JSON.parse(process.argv[1]));
  await import('./src/work/local-wakes.ts');`;

function keep(config: object): void {
  const { NODE_COMPILE_CACHE: _cache, NODE_OPTIONS: _options, ...env } = process.env;
  const args = [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
    KEEPING,
    JSON.stringify(config),
  ];
  execFileSync(process.execPath, args, { cwd: fileURLToPath(new URL('..', import.meta.url)), env });
}

let dataDir: string;
let compiled: string;
beforeEach(async () => {
  dataDir = await databaseFolder('compiled');
  chmodSync(dataDir, 0o700);
  compiled = join(dataDir, 'compiled');
});
afterEach(() => rm(dataDir, { recursive: true }));

const filesIn = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());

describe('compiled code', () => {
  test('is kept beside the embedded database, for its owner alone, and no module that was loaded before', () => {
    keep({ dataDir });
    const files = filesIn(compiled);
    expect(statSync(compiled).mode & 0o777).toBe(0o700);
    expect(files.filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
    const texts = files.map((path) => readFileSync(path, 'latin1'));
    expect(texts.some((text) => text.includes('localWakes'))).toBe(true);
    expect(texts.some((text) => text.includes('keepCompiledCode'))).toBe(false);
  });

  test.each(['750', '702'])('is not kept in a data directory of mode %s', (mode) => {
    chmodSync(dataDir, Number.parseInt(mode, 8));
    keep({ dataDir });
    expect(existsSync(compiled)).toBe(false);
  });

  test('is not kept in a directory that other users could have filled', () => {
    mkdirSync(compiled);
    chmodSync(compiled, 0o777);
    keep({ dataDir });
    expect(readdirSync(compiled)).toEqual([]);
  });

  test('is not kept behind a link', () => {
    const elsewhere = join(dataDir, 'elsewhere');
    mkdirSync(elsewhere, { mode: 0o700 });
    symlinkSync(elsewhere, compiled);
    keep({ dataDir });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test.each([
    ['where the data directory is made by this start', () => ({ dataDir: join(dataDir, 'new') })],
    ['where a server keeps the data', () => ({ dataDir, databaseUrl: 'postgres://127.0.0.1/a' })],
    ['where the data is in memory', () => ({ dataDir: 'memory' })],
    ['where the data directory is no text', () => ({ dataDir: 5 })],
  ])('is not kept %s', (_where, config) => {
    keep(config());
    expect(filesIn(dataDir)).toEqual([]);
  });
});
