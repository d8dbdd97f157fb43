import { termsSchema } from '@railyard/core/protocol';
import { databaseClock, type MerchantScope, openDatabase, storesOf } from '../../src/storage/index.ts';
import type { Place } from './data-dir.ts';
import { MERCHANT_KEY } from './rows.ts';

/** Stores a monthly schedule under an id that somebody else has chosen, before a service is started on the data. */
export async function saveSchedule(
  { dataDir, databaseUrl }: Place,
  id: string,
  scope: MerchantScope = { merchantKey: MERCHANT_KEY, test: false },
): Promise<void> {
  const { db, close } = await openDatabase(databaseUrl === undefined ? { dataDir } : { url: databaseUrl });
  const terms = termsSchema.parse({ name: 'Gold', interval_length: 1, interval_unit: 'month', payments_count: 12 });
  await storesOf(db, databaseClock).schedules.create(id, scope, [{ terms }]);
  await close();
}
