import { rm } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { type GetModuleInfo, rollup } from 'rollup';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['plugins']>[number];

/**
 * Puts what a package's main entry shares with others into one file.
 *
 * The bundler makes a file for each set of entries that share something, and a process finds, reads and links each by itself: a third of a
 * millisecond. Core's main entry, which every process loads, was thirteen files, and 4 of its 10 ms went there (docs/decisions/0133).
 */
export const oneSharedFile: Plugin = {
  name: 'one-shared-file',
  async buildEnd({ writtenFiles }) {
    const written = writtenFiles.map(({ name }) => resolve(name)).filter((file) => file.endsWith('.js'));
    const index = resolve(this.options.outDir, 'index.js');
    const chunks = written.filter((file) => /[\\/]chunk-[^\\/]+$/.test(file));
    if (chunks.length < 2 || !written.includes(index)) return;
    const build = await rollup({
      input: written.filter((file) => !chunks.includes(file)),
      external: (id) => !id.startsWith('.') && !isAbsolute(id),
      // What nobody uses has been left out before.
      treeshake: false,
    });
    for (const file of chunks) await rm(file);
    await build.write({
      dir: this.options.outDir,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      hoistTransitiveImports: false,
      manualChunks: (id, { getModuleInfo }) =>
        chunks.includes(id) && loadedBy(index, getModuleInfo).has(id) ? 'shared' : undefined,
    });
    await build.close();
  },
};

function loadedBy(file: string, moduleInfo: GetModuleInfo): ReadonlySet<string> {
  const loaded = new Set([file]);
  for (const each of loaded) for (const id of moduleInfo(each)?.importedIds ?? []) loaded.add(id);
  return loaded;
}
