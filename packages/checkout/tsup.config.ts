import { cp } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { buildPageFiles } from '../../tools/page-files.ts';
import { library } from '../../tsup.base.ts';

export default defineConfig(
  library(
    { index: 'src/index.ts', bin: 'src/bin.ts' },
    {
      platform: 'node',
      // Its 257 files are found, read and compiled one by one at each start: a tenth of it (docs/decisions/how-it-is-fast.md).
      noExternal: [/^kysely/],
      onSuccess: async () => {
        await buildPageFiles('dist');
        // Its license asks for it.
        await cp('node_modules/kysely/LICENSE', 'dist/LICENSE-kysely');
      },
    },
  ),
);
