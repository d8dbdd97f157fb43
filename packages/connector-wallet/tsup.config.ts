import { defineConfig } from 'tsup';
import { library } from '../../tsup.base.ts';

export default defineConfig(
  library(
    { index: 'src/index.ts', methods: 'src/methods.ts', simulation: 'src/simulation.ts' },
    { external: ['@railyard/core', 'zod'] },
  ),
);
