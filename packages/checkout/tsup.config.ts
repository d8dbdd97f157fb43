import { cp } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { library } from '../../tsup.base.ts';

export default defineConfig(
  library(
    { index: 'src/index.ts', bin: 'src/bin.ts' },
    {
      platform: 'node',
      // Its 257 files are found, read and compiled one by one at each start: a tenth of it (docs/decisions/how-it-is-fast.md).
      noExternal: [/^kysely/],
      // Scripts and styles of the page are read as files, from the same place beside the code in the sources and in dist.
      onSuccess: async () => {
        await cp('src/page/assets', 'dist/assets', { recursive: true });
        await cp('src/rules/browser', 'dist/browser', { recursive: true });
        // Its license asks for it.
        await cp('node_modules/kysely/LICENSE', 'dist/LICENSE-kysely');
      },
    },
  ),
);
