import { statements } from './statements.ts';

/** Runs that waited for a payer whose payment was decided without them stayed open, and with them what the payment keeps of the payer. */
export const overtakenRuns = statements([
  `UPDATE flow_runs r SET state = 'finished', outcome_text = '{"status":"overtaken"}', finished_at = p.updated_at, suspended_step = NULL,
      suspended_text = NULL, lease_epoch = r.lease_epoch + 1
    FROM payments p WHERE p.id = r.payment_id AND r.state = 'suspended' AND p.state NOT IN ('created', 'pending')`,
]);
