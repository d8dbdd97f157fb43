import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Apart from the tests of `npm test`: packs every package and installs it where nothing else is. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    include: ['*.test.ts'],
    globalSetup: ['support/install-all.ts'],
    reporters: ['default', fileURLToPath(new URL('../../test/support/reporter.ts', import.meta.url))],
    allowOnly: false,
    retry: 0,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
});
