import type { RawBuilder } from 'kysely';
import type { Db } from './db.ts';

/** In one statement, so that no other waits long. */
export const BATCH_LIMIT = 1000;

/** Repeats a statement that changes `BATCH_LIMIT` rows at most until nothing is left. @returns how many rows */
export async function inBatches(db: Db, statement: RawBuilder<unknown>): Promise<number> {
  let count = 0;
  for (;;) {
    const changed = Number((await statement.execute(db)).numAffectedRows ?? 0n);
    count += changed;
    if (changed < BATCH_LIMIT) return count;
  }
}
