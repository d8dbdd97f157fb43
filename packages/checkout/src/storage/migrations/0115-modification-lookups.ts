import { statements } from './statements.ts';

/** A claim of lookups of modifications looks at each MID by itself, as one of payments does. A modification's MID is its payment's. */
export const modificationLookups = statements([
  `ALTER TABLE modifications ADD COLUMN mid_id text`,
  `UPDATE modifications a SET mid_id = p.mid_id FROM payments p WHERE p.id = a.payment_id`,
  `ALTER TABLE modifications ALTER COLUMN mid_id SET NOT NULL`,
  `CREATE INDEX modifications_to_poll_by_mid ON modifications (mid_id, poll_at) WHERE poll_at IS NOT NULL`,
  `DROP INDEX modifications_to_poll`,
]);
