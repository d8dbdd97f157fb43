import { statements } from './statements.ts';

export const openActions = statements([
  // Reconciliation looks for actions that are open and about which nobody will ask.
  `CREATE INDEX actions_without_lookup ON actions (updated_at) WHERE poll_at IS NULL AND state IN ('requested', 'pending', 'unknown')`,
]);
