import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { buildPageFiles } from '../../../../../tools/page-files.ts';
import type * as page from '../../../src/page/index.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export interface BuiltPage {
  readonly page: typeof page;
  remove(): Promise<void>;
}

/** The page as the build makes it: its scripts minified, each with its imports. */
export async function buildPage(): Promise<BuiltPage> {
  const folder = here('../../../.railyard');
  await mkdir(folder, { recursive: true });
  const outdir = await mkdtemp(join(folder, 'page-'));
  await build({
    entryPoints: { page: here('../../../src/page/index.ts') },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['@railyard/source'],
    external: ['zod'],
    logLevel: 'error',
  });
  await buildPageFiles(outdir);
  const built: typeof page = await import(pathToFileURL(join(outdir, 'page.mjs')).href);
  return { page: built, remove: () => rm(outdir, { recursive: true }) };
}
