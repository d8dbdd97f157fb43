import { cp } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { library } from '../../tsup.base.ts';

export default defineConfig(
  library(
    { index: 'src/index.ts', bin: 'src/bin.ts' },
    {
      platform: 'node',
      // The page reads its scripts and styles as files, from the same place beside its code in the sources and in dist.
      onSuccess: () => cp('src/page/assets', 'dist/assets', { recursive: true }),
    },
  ),
);
