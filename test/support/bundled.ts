import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'tsup';
import { onTestFinished } from 'vitest';

export const KB = 1024;

/**
 * What a browser bundle takes of an entry of a connector, without core and zod, which the host brings, unless core is to be counted.
 *
 * @param entry path of the source
 */
export async function bundled(
  entry: string,
  withCore = false,
): Promise<{ readonly text: string; readonly gzipped: number }> {
  const outDir = mkdtempSync(join(tmpdir(), 'railyard-size-'));
  onTestFinished(() => rmSync(outDir, { recursive: true, force: true }));
  await build({
    config: false,
    silent: true,
    entry: { bundle: entry },
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
