import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'tsup';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

const KB = 1024;
const CORE = '@railyard/core';
const ENTRY_OF_CORE = /^@railyard\/core\/\w+$/;

/**
 * What a browser bundle takes of an entry of a connector, without core and zod, which the host brings, unless core is to be counted.
 *
 * @param entry path of the source
 * @param libraries what it depends on and is not counted
 */
async function bundled(
  entry: string,
  libraries: readonly string[],
  withCore = false,
): Promise<{ readonly text: string; readonly gzipped: number }> {
  const [bundle = { text: '', gzipped: 0 }] = await bundledEach({ bundle: entry }, libraries, withCore);
  return bundle;
}

const emptyFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'railyard-size-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** The same of several entries by name, each in a bundle of its own. */
async function bundledEach(entry: Readonly<Record<string, string>>, libraries: readonly string[], withCore: boolean) {
  const outDir = emptyFolder();
  await build({
    config: false,
    silent: true,
    entry,
    outDir,
    splitting: false,
    format: 'esm',
    platform: 'browser',
    minify: true,
    treeshake: true,
    noExternal: withCore ? [/^@railyard\//, /^@noble\//] : [/^@railyard\/identifiers/],
    external: withCore ? ['zod'] : [CORE, 'zod', ...libraries],
    esbuildOptions(options) {
      options.conditions = ['@railyard/source'];
    },
  });
  return Object.keys(entry).map((name) => {
    const text = readFileSync(join(outDir, `${name}.js`), 'utf8');
    return { name, text, gzipped: gzipSync(text).byteLength };
  });
}

/** Pages that validate one method each, by the name that the package exports it under. */
function pageOfEach(names: readonly string[], methods: string): Readonly<Record<string, string>> {
  const folder = emptyFolder();
  const registry = fileURLToPath(new URL('../../packages/core/src/registry.ts', import.meta.url));
  const pages = names.map((name) => {
    const page = join(folder, `${name}.ts`);
    const imports = [`{ createRegistry } from '${registry}'`, `{ ${name} } from '${methods}'`];
    const lines = [...imports.map((each) => `import ${each};`), `export const registry = createRegistry([${name}]);`];
    writeFileSync(page, lines.join('\n'));
    return [name, page] as const;
  });
  return Object.fromEntries(pages);
}

/**
 * The size gates of a connector package.
 *
 * @param of `url` of its size test; `parameter`: a name that only its methods know; `adapter`: one that only its adapters know, the header of
 * keys unless given; `withCoreKb`: what a page bundles to validate, libraries
 * included; `takesKb`: what everything that takes payments has, 15 unless the package holds several adapters; `methodsKb`: what all its methods have, 5 unless there are many; `pages`: further pages that validate, with a name
 * that only their methods know; `libraries`: what else the package depends on, which is not counted elsewhere
 */
export function sizeGates(of: {
  readonly url: string;
  readonly parameter: string;
  readonly adapter?: string;
  readonly withCoreKb: number;
  readonly takesKb?: number;
  readonly methodsKb?: number;
  readonly pages?: Readonly<Record<string, string>>;
  readonly libraries?: readonly string[];
}): void {
  const { libraries = [], adapter = 'idempotency-key', takesKb = 15, methodsKb = 5 } = of;
  const pages = { 'validate-in-a-browser': of.parameter, ...of.pages };
  const source = (path: string) => fileURLToPath(new URL(`../${path}`, of.url));

  it(`everything that takes payments fits in ${takesKb} KB`, async () => {
    const { text, gzipped } = await bundled(source('src/index.ts'), libraries);
    expect(text).toContain(adapter);
    expect(gzipped).toBeLessThan(takesKb * KB);
  });

  it(`is counted without ${['core', 'zod', ...libraries].join(', ')} and nothing else`, async () => {
    const { text } = await bundled(source('src/index.ts'), libraries);
    const imported = new Set(Array.from(text.matchAll(/(?:from|import)\s*["']([^"']+)["']/g), ([, name]) => name));
    for (const name of imported) expect([CORE, 'zod', ...libraries]).toContain(name?.replace(ENTRY_OF_CORE, CORE));
    for (const name of libraries) expect(imported).toContain(name);
  });

  it(`the methods alone fit in ${methodsKb} KB and carry nothing of a provider`, async () => {
    const { text, gzipped } = await bundled(source('src/methods.ts'), libraries);
    expect(text).toContain(of.parameter);
    expect(text).not.toContain(adapter);
    expect(gzipped).toBeLessThan(methodsKb * KB);
  });

  it(`each method alone, core included, fits in ${of.withCoreKb} KB of a page, without what makes tickets`, async () => {
    const methods = source('src/methods.ts');
    const names = Object.keys(z.record(z.string(), z.unknown()).parse({ ...(await import(methods)) }));
    expect(names.length).toBeGreaterThan(0);
    const pages = await bundledEach(pageOfEach(names, methods), [], true);
    const larger = pages.filter(({ gzipped }) => gzipped >= of.withCoreKb * KB);
    expect(larger.map(({ name, gzipped }) => `${name}: ${gzipped} bytes`)).toEqual([]);
    expect(pages.filter(({ text }) => /pdfkit|bwip/.test(text)).map(({ name }) => name)).toEqual([]);
  });

  it.each(Object.entries(pages))(
    `%s, core included, fits in ${of.withCoreKb} KB without zod`,
    async (page, parameter) => {
      const { text, gzipped } = await bundled(source(`test/fixtures/${page}.ts`), [], true);
      expect(text).toContain(parameter);
      expect(text).not.toMatch(/from\s*["']@railyard/);
      expect(gzipped).toBeLessThan(of.withCoreKb * KB);
    },
  );
}
