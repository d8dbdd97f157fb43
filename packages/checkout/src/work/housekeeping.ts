import type { WorkDeps } from './deps.ts';
import { vacuum } from '../storage/index.ts';
import { retain } from './retention.ts';

/** Forgets what has no meaning any more; often, so that it is never much. */
export async function housekeep(context: WorkDeps, embedded: boolean): Promise<void> {
  await context.stores.sessions.forgetWindows();
  while ((await context.stores.idempotency.forget()) > 0);
  while ((await context.stores.requestIds.forget()) > 0);
  await retain(context, context.config.retention, 'cards');
  if (embedded) await vacuum(context.db, 'jobs');
}

/** Deletes and erases what is older than the configuration says, and tidies the embedded database, while little happens. */
export async function tidy(context: WorkDeps, embedded: boolean): Promise<void> {
  await retain(context, context.config.retention);
  if (embedded) await vacuum(context.db, 'all');
}
