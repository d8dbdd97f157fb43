import { defineConfig } from 'tsup';
import { library } from '../../tsup.base.ts';

/** The identifier checks are bundled, so that the package installs with core and zod alone. */
export default defineConfig(
  library(
    { index: 'src/index.ts', methods: 'src/methods.ts', simulation: 'src/simulation.ts' },
    { noExternal: [/^@railyard\/identifiers/], external: ['@railyard/core', 'zod'] },
  ),
);
