import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { projects: ['packages/*/vitest.config.ts', 'examples/vitest.config.ts', 'demo/vitest.config.ts', 'test/vitest.config.ts'] },
});
