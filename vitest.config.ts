import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      '{packages/*,examples,demo,bench,release,site,test}/vitest.config.ts',
      'packages/checkout/vitest.{alone,server,repeatable-read,serializable}.config.ts',
    ],
    reporters: ['default', './test/support/reporter.ts'],
    allowOnly: false,
  },
});
