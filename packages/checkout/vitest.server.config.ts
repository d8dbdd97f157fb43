import { project } from '../../vitest.base.ts';

const base = project('checkout-server', { isolate: false });

/** Files of the project `checkout` that run on a PostgreSQL server too: their databases come from test/support, which knows the engine. */
const ON_BOTH_ENGINES = [
  'test/storage/*.test.ts',
  'test/callbacks/deliver.test.ts',
  'test/service/sessions.test.ts',
  'test/service/modifications.test.ts',
  'test/service/parallel-refunds.test.ts',
  'test/service/pix-payment.test.ts',
  'test/service/notifications.test.ts',
  'test/service/foreign-text.test.ts',
  'test/service/restart.test.ts',
  'test/service/{jobs,reconcile,housekeeping,partial-approval}.test.ts',
  'test/charges/late-{facts,results}.test.ts',
  'test/signatures/request-ids.test.ts',
  'test/crash/crash-points.test.ts',
];

/** The service on a PostgreSQL server. */
export default {
  ...base,
  test: {
    ...base.test,
    include: ['test/server/**/*.test.ts', ...ON_BOTH_ENGINES],
    // About files and processes of the embedded engine.
    exclude: ['test/storage/{database,kill}.test.ts'],
    globalSetup: ['./test/support/server-template.ts'],
  },
};
