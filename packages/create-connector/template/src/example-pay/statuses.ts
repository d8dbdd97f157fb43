import { statusTable } from '@railyard/core';

/** The provider's words. A word that does not stand here is `unknown`: the payment is looked up, never guessed. */
export const statuses = statusTable({
  OPEN: 'pending',
  PAID: 'settled',
  FAILED: { declined: 'soft', code: 'not_completed' },
  EXPIRED: { declined: 'soft', code: 'expired' },
  BLOCKED: { declined: 'hard', code: 'account_restricted', reason: 'The account may not pay.' },
});
