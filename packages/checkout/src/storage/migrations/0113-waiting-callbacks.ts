import { statements } from './statements.ts';

/**
 * A claim of callbacks looks at each address by itself, so that what waits for one that hangs is not read for the others. Lists, newest first,
 * go by the index that retention goes by.
 */
export const waitingCallbacks = statements([
  `CREATE INDEX callbacks_waiting_by_address ON callbacks (url, merchant_key, next_try_at, seq) WHERE state = 'waiting'`,
  `DROP INDEX callbacks_waiting_by_url`,
  `CREATE INDEX callbacks_by_creation ON callbacks (created_at, id)`,
  `DROP INDEX callbacks_by_age`,
]);
