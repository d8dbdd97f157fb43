import { deliverCallbacks } from '../callbacks/deliver.ts';
import { sweepNotifications } from '../notifications/receive.ts';
import { pollDue } from '../payments/look-up.ts';
import { recoverRuns } from '../payments/turns.ts';
import type { Work } from './workers.ts';

const BATCH = 20;

/** Everything that happens without a request. */
export const works: readonly Work[] = [
  { name: 'callbacks', everyMs: 1000, run: (context) => deliverCallbacks(context, BATCH) },
  { name: 'runs', everyMs: 500, run: (context) => recoverRuns(context, BATCH) },
  { name: 'notifications', everyMs: 2000, run: (context) => sweepNotifications(context, BATCH) },
  { name: 'lookups', everyMs: 1000, run: (context) => pollDue(context, BATCH) },
  {
    name: 'expiry',
    everyMs: 2000,
    run: async (context) => {
      await context.stores.sessions.forgetWindows();
      return (await context.stores.sessions.expireDue(BATCH)).length;
    },
  },
];
