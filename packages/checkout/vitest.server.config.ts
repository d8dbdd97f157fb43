import { LEFT_OUT, project } from '../../vitest.base.ts';

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
  'test/service/drift.test.ts',
  'test/service/{jobs,reconcile,housekeeping,partial-approval}.test.ts',
  'test/charges/late-{facts,results}.test.ts',
  'test/schedules/{crashes,three-years}.test.ts',
  'test/signatures/request-ids.test.ts',
  'test/crash/crash-points.test.ts',
  // On a server each of its tests waits for the lease of a killed service, a minute: only where all points are run.
  ...(process.env['RAILYARD_CRASH_POINTS'] === 'all' ? ['test/service/flow-shapes-kill.test.ts'] : []),
];

/** Tests on a PostgreSQL server, except for those about files and processes of the embedded engine. */
const onServer = (name: string, include: readonly string[]) => {
  const base = project(name, { isolate: false });
  return {
    ...base,
    test: {
      ...base.test,
      include: [...include],
      exclude: ['test/storage/{database,kill}.test.ts', ...LEFT_OUT],
      globalSetup: ['./test/support/server-template.ts'],
    },
  };
};

/** The stores whose tests change rows at the same time: only there does it matter how far transactions are kept apart. */
const AT_ONCE =
  'callbacks-store,cascading,drift-store,in-parts,isolation,notifications-store,payments-store,runs-and-journal,sessions-store,together';

/** The stores on a server whose operator keeps transactions further apart than PostgreSQL does by itself. */
export const storesAt = (isolation: 'repeatable read' | 'serializable') => {
  const base = onServer(`checkout-server-${isolation.replace(' ', '-')}`, [
    `test/storage/{${AT_ONCE}}.test.ts`,
    'test/service/{parallel-refunds,pix-payment}.test.ts',
  ]);
  return { ...base, test: { ...base.test, provide: { isolation } } };
};

/** The service on a PostgreSQL server. */
export default onServer('checkout-server', ['test/server/**/*.test.ts', ...ON_BOTH_ENGINES]);
