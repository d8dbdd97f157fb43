import { statements } from './statements.ts';

export const paidBy = statements([
  // The payment whose money completed the session: money of another one has come twice.
  `ALTER TABLE sessions ADD COLUMN paid_payment_id uuid`,
]);
