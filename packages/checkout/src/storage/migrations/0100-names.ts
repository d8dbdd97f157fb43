import { statements } from './statements.ts';

export const names = statements([
  // What a request makes is a resource, whose id its key keeps.
  `ALTER TABLE idempotency_keys RENAME COLUMN effect_id TO resource_id`,
]);
