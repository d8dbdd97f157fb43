import { cp, readFile } from 'node:fs/promises';
import { transform, type Plugin } from 'esbuild';
import { defineConfig } from 'tsup';
import { buildPageFiles } from '../../tools/page-files.ts';
import { pureAtLoad } from '../../tools/pure-at-load.ts';
import { library } from '../../tsup.base.ts';

/** The library that is built in comes without comments and with short local names, a third of its bytes. */
const shortened: Plugin = {
  name: 'shortened',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/kysely\/.*\.js$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { minify: true });
      return { contents: code, loader: 'js' };
    });
  },
};

export default defineConfig(
  library(
    { index: 'src/index.ts', bin: 'src/bin.ts' },
    {
      platform: 'node',
      // Its 257 files are found, read and compiled one by one at each start: a tenth of it (docs/decisions/how-it-is-fast.md).
      noExternal: [/^kysely/],
      esbuildPlugins: [shortened, pureAtLoad],
      onSuccess: async () => {
        await buildPageFiles('dist');
        // Its license asks for it.
        await cp('node_modules/kysely/LICENSE', 'dist/LICENSE-kysely');
      },
    },
  ),
);
