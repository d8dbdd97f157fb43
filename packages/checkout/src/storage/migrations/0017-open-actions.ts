import { statements } from './statements.ts';

export const openActions = statements([
  // Reconciliation looks for open actions without a planned lookup.
  `CREATE INDEX actions_without_lookup ON actions (updated_at) WHERE poll_at IS NULL AND state IN ('requested', 'pending', 'unknown')`,
]);
