import type { DriftCount } from '@railyard/runtime';
import { loadConfig } from './load-config.ts';
import { withDatabase } from './with-database.ts';

/**
 * The drift of replies, as a deployment's processes have written it down; a process writes once a minute and when it stops.
 *
 * @param config the file of the configuration; the first of the usual names in the folder unless given
 * @throws Error that says what to do when the embedded database belongs to a running service: its object has `drift()`, and its log has lines
 */
export async function storedDrift(config?: string, folder?: string): Promise<readonly DriftCount[]> {
  const { driftStore } = await import('../storage/index.ts');
  let counts: readonly DriftCount[] = [];
  await withDatabase(await loadConfig(config, folder), async ({ db }) => {
    counts = await driftStore(db).list();
  });
  return counts;
}
