import { deliver, takeCallbacks } from '../callbacks/deliver.ts';
import { sweepNotifications } from '../notifications/receive.ts';
import { lookUp, takePolls } from '../payments/look-up.ts';
import { recoverRun, takeAbandoned } from '../payments/recover.ts';
import { pooled } from './pooled.ts';
import type { Work } from './workers.ts';

const BATCH = 20;

/** Everything that happens without a request; made anew for each service. */
export function createWorks(): readonly Work[] {
  return [
    pooled({ name: 'callbacks', everyMs: 1000, take: takeCallbacks, key: (callback) => callback.url, handle: deliver }),
    pooled({ name: 'runs', everyMs: 500, take: takeAbandoned, key: ({ run }) => run.connectorId, handle: recoverRun }),
    pooled({ name: 'lookups', everyMs: 500, take: takePolls, key: (payment) => payment.midId, handle: lookUp }),
    { name: 'notifications', everyMs: 2000, run: (context) => sweepNotifications(context, BATCH) },
    {
      name: 'expiry',
      everyMs: 2000,
      run: async (context) => {
        await context.stores.sessions.forgetWindows();
        return (await context.stores.sessions.expireDue(BATCH)).length;
      },
    },
  ];
}
