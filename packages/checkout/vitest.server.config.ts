import { LEFT_OUT, project } from '../../vitest.base.ts';
import { ON_BOTH_ENGINES, ON_SERVER } from './vitest.engines.ts';

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
export default onServer('checkout-server', ['test/server/**/*.test.ts', ...ON_SERVER, ...ON_BOTH_ENGINES]);
