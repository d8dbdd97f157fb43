import { statements } from './statements.ts';

/** A claim of lookups looks at each MID by itself, so that what waits for a provider that hangs is not read for the others. */
export const waitingLookups = statements([
  `CREATE INDEX payments_to_poll_by_mid ON payments (mid_id, poll_at) WHERE poll_at IS NOT NULL`,
  `DROP INDEX payments_to_poll`,
]);
