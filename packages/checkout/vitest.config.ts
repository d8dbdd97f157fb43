import { mergeConfig } from 'vitest/config';
import { project } from '../../vitest.base.ts';
import { ALONE } from './vitest.alone.config.ts';
import { ON_SERVER } from './vitest.engines.ts';

/** Minutes of killed services; the ordinary run has others of their kind. `npm run test:crash` runs them. */
const LONG = [
  'test/cards/cascading-killed.test.ts',
  'test/cards/killed.test.ts',
  'test/crash/self-check.test.ts',
  'test/fields/killed.test.ts',
  'test/s2s/*-kill.test.ts',
  'test/service/*-kill.test.ts',
  'test/storage/kill.test.ts',
];

export default mergeConfig(project('checkout', { isolate: false }), {
  test: {
    exclude: [
      'test/server/**',
      ...ON_SERVER,
      ...ALONE,
      ...(process.env['RAILYARD_CRASH_POINTS'] === undefined ? LONG : []),
    ],
    globalSetup: ['./test/support/database-template.ts'],
  },
});
