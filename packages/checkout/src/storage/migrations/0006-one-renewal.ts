import { statements } from './statements.ts';

export const oneRenewal = statements([
  // Of any number of clicks at once one renews a code: every further renewal would be a further code that can be paid.
  `CREATE UNIQUE INDEX flow_runs_one_renewal ON flow_runs (payment_id) WHERE action = 'renew' AND state <> 'finished'`,
]);
