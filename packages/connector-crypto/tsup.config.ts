import { cp } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { library } from '../../tsup.base.ts';

const IDENTIFIERS = '../identifiers';

/**
 * The identifier checks are bundled, so that the package installs with core and zod alone; so is what they take from libraries, whose six
 * files a process would find and load one by one (docs/decisions/validation-and-bundle-size.md).
 */
export default defineConfig(
  library(
    {
      index: 'src/index.ts',
      methods: 'src/methods.ts',
      simulation: 'src/simulation.ts',
      // Not an entry of the package: it keeps the libraries in a file of their own, which a page without addresses leaves out.
      libraries: `${IDENTIFIERS}/src/crypto/libraries.ts`,
    },
    {
      noExternal: [/^@railyard\/identifiers/, /^@noble\/hashes/, '@scure/base'],
      external: ['@railyard/core', 'zod'],
      // Their licenses ask for it.
      onSuccess: async () => {
        for (const name of ['@noble/hashes', '@scure/base'])
          await cp(`${IDENTIFIERS}/node_modules/${name}/LICENSE`, `dist/LICENSE-${name.slice(1).replace('/', '-')}`);
      },
    },
  ),
);
