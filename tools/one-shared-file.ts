import { rm } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { type GetModuleInfo, rollup } from 'rollup';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['plugins']>[number];

/**
 * Puts what a package's main entry shares with others into one file.
 *
 * The bundler makes a file for each set of entries that share something, and a process finds, reads and links each by itself
 * (docs/decisions/0133). Throws where a package has no main entry, and where maps of sources would no longer fit.
 */
export const oneSharedFile: Plugin = {
  name: 'one-shared-file',
  async buildEnd({ writtenFiles }) {
    const { outDir, sourcemap } = this.options;
    const written = writtenFiles.map(({ name }) => resolve(name)).filter((file) => file.endsWith('.js'));
    const index = resolve(outDir, 'index.js');
    if (!written.includes(index))
      throw new Error(`one-shared-file: ${index} is not built; the plugin needs a main entry`);
    if (sourcemap) throw new Error('one-shared-file: does not move source maps; build without them');
    const chunks = written.filter((file) => /[\\/]chunk-[^\\/]+$/.test(file));
    const entries = written.filter((file) => !chunks.includes(file));
    const build = await rollup({
      input: Object.fromEntries(entries.map((file) => [relative(outDir, file).replace(/\.js$/, ''), file])),
      external: (id) => !id.startsWith('.') && !isAbsolute(id),
      // What nobody uses has been left out before.
      treeshake: false,
    });
    await build.write({
      dir: outDir,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      hoistTransitiveImports: false,
      manualChunks: (id, { getModuleInfo }) =>
        chunks.includes(id) && loadedBy(index, getModuleInfo).has(id) ? 'shared' : undefined,
    });
    await build.close();
    for (const file of chunks) await rm(file);
  },
};

function loadedBy(file: string, moduleInfo: GetModuleInfo): ReadonlySet<string> {
  const loaded = new Set([file]);
  for (const each of loaded) for (const id of moduleInfo(each)?.importedIds ?? []) loaded.add(id);
  return loaded;
}
