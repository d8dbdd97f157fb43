import { statements } from './statements.ts';

export const cascading = statements([
  // A try of the payer may be several payments, one at each account that was asked; `attempt` goes on counting payments.
  `ALTER TABLE payments ADD COLUMN payer_try integer CHECK (payer_try >= 1 AND payer_try <= attempt)`,
  `UPDATE payments SET payer_try = attempt`,
  `ALTER TABLE payments ALTER COLUMN payer_try SET NOT NULL`,
]);
