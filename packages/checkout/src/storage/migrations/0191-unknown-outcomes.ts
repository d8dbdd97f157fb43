import { statements } from './statements.ts';

/** Reconciliation looks for unknown outcomes every minute; most often there are none. */
export const unknownOutcomes = statements([
  `CREATE INDEX payments_unknown ON payments (id) WHERE unknown AND state IN ('created', 'pending')`,
  `CREATE INDEX modifications_unknown ON modifications (id) WHERE state = 'unknown'`,
]);
