import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['{packages/*,examples,demo,test}/vitest.config.ts'],
    reporters: ['default', './test/support/reporter.ts'],
    allowOnly: false,
  },
});
