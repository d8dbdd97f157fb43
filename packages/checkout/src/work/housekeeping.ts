import type { ServiceContext } from '../service-context.ts';
import { deleteOlderThan, vacuum } from '../storage/index.ts';

/** Forgets what has no meaning any more; often, so that it is never much. */
export async function housekeep(context: ServiceContext, embedded: boolean): Promise<void> {
  await context.stores.sessions.forgetWindows();
  while ((await context.stores.idempotency.forget()) > 0);
  while ((await context.stores.requestIds.forget()) > 0);
  const days = context.config.cardRetentionDays;
  const rows = await context.stores.cards.remove(days);
  if (rows > 0) context.log.info({ event: 'cards-removed', days, rows });
  if (embedded) await vacuum(context.db, 'jobs');
}

/** Deletes what is older than the configuration says, and tidies the embedded database, while little happens. */
export async function tidy(context: ServiceContext, embedded: boolean): Promise<void> {
  const { retentionDays } = context.config;
  if (retentionDays !== undefined) {
    const rows = await deleteOlderThan(context.db, context.sqlClock, retentionDays);
    context.log.info({ event: 'retention', days: retentionDays, rows });
  }
  if (embedded) await vacuum(context.db, 'all');
}
