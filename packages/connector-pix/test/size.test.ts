import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'tsup';
import { expect, it, onTestFinished } from 'vitest';

const KB = 1024;

/** What a browser bundle takes of an entry, without core and zod, which the host brings, unless core is to be counted. */
async function bundled(entry: string, withCore = false): Promise<{ readonly text: string; readonly gzipped: number }> {
  const outDir = mkdtempSync(join(tmpdir(), 'railyard-size-'));
  onTestFinished(() => rmSync(outDir, { recursive: true, force: true }));
  await build({
    config: false,
    silent: true,
    entry: { bundle: fileURLToPath(new URL(`../${entry}`, import.meta.url)) },
    outDir,
    format: 'esm',
    platform: 'browser',
    minify: true,
    treeshake: true,
    noExternal: withCore ? [/^@railyard\//, /^@noble\//] : [/^@railyard\/identifiers/],
    external: withCore ? ['zod'] : ['@railyard/core', 'zod'],
    esbuildOptions(options) {
      options.conditions = ['@railyard/source'];
    },
  });
  const text = readFileSync(join(outDir, 'bundle.js'), 'utf8');
  return { text, gzipped: gzipSync(text).byteLength };
}

it('everything that takes payments fits in 15 KB', async () => {
  const { text, gzipped } = await bundled('src/index.ts');
  expect(text).toContain('idempotency-key');
  expect(gzipped).toBeLessThan(15 * KB);
});

it('the methods alone fit in 5 KB and carry nothing of a provider', async () => {
  const { text, gzipped } = await bundled('src/methods.ts');
  expect(text).toContain('debtor_document');
  expect(text).not.toContain('idempotency-key');
  expect(gzipped).toBeLessThan(5 * KB);
});

it('validation in a browser, core included, fits in 15 KB without zod', async () => {
  const { text, gzipped } = await bundled('test/fixtures/validate-in-a-browser.ts', true);
  expect(text).toContain('debtor_document');
  expect(text).not.toMatch(/from\s*"@railyard/);
  expect(gzipped).toBeLessThan(15 * KB);
});
