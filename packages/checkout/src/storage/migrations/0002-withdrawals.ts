import { statements } from './statements.ts';

/** Of any number of requests to take a payment back at the provider one begins. */
export const withdrawals = statements([
  `CREATE UNIQUE INDEX flow_runs_one_withdrawal ON flow_runs (payment_id) WHERE purpose = 'withdraw' AND state <> 'finished'`,
]);
