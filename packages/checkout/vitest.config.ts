import { mergeConfig } from 'vitest/config';
import { project } from '../../vitest.base.ts';

/** Minutes of killed services; the ordinary run has others of their kind. `npm run test:crash` runs them. */
const LONG = [
  'test/crash/self-check.test.ts',
  'test/s2s/payout-kill.test.ts',
  'test/service/modification-kill.test.ts',
  'test/service/payout-kill.test.ts',
  'test/service/purchase-kill.test.ts',
  'test/cards/cascading-killed.test.ts',
  'test/cards/killed.test.ts',
  'test/storage/kill.test.ts',
];

export default mergeConfig(project('checkout'), {
  test: {
    exclude: ['test/server/**', ...(process.env['RAILYARD_CRASH_POINTS'] === 'all' ? [] : LONG)],
    globalSetup: ['./test/support/database-template.ts'],
  },
});
