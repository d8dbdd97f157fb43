import type { CheckoutConfig } from '../deployment/config.ts';
import type { TransitionDeps } from '../payments/transitions/deps.ts';
import { withDatabase } from './with-database.ts';

/** For what a person decides, beside a running service on a server, which delivers the callback; else the next start does. */
export async function withDeciding(
  given: CheckoutConfig,
  use: (context: TransitionDeps) => Promise<void>,
): Promise<void> {
  const { randomUUID } = await import('node:crypto');
  const { parseConfig } = await import('../deployment/config.ts');
  const { sealerOf } = await import('../deployment/sealer-of.ts');
  const { secretsOf } = await import('../deployment/secrets-of.ts');
  const { catalogueAccess, loadNewest } = await import('../merchants/stored-catalogue.ts');
  const { createLog, guardedLog } = await import('../log/log.ts');
  const { unmatchedHints } = await import('../payments/transitions/unmatched-hints.ts');
  const { paymentQueues } = await import('../payments/transitions/contention.ts');
  const { databaseClock, storesOf } = await import('../storage/index.ts');
  const config = parseConfig(given);
  await withDatabase(given, async ({ db }) => {
    const { sealer } = sealerOf(config);
    const loaded = await loadNewest(catalogueAccess(db, databaseClock, sealer, config));
    if (loaded === undefined) throw new Error('No service has stored its merchants in this database yet.');
    const { directory } = loaded;
    await use({
      directory,
      stores: storesOf(db, databaseClock),
      sealer,
      now: Date.now,
      newId: randomUUID,
      unmatchedHints: unmatchedHints(),
      queues: paymentQueues(),
      log: guardedLog(createLog(process.stderr), new Set([...secretsOf(config), ...directory.secrets])),
      // The service finds what is due at its next poll.
      changed: () => undefined,
      wake: () => undefined,
    });
  });
}
