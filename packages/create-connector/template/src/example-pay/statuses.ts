import { statusTable } from '@railyard/core';

/** The provider's words. A word that does not stand here is `unknown`: the payment is looked up, never guessed. */
export const statuses = statusTable({
  OPEN: 'pending',
  PAID: 'settled',
  FAILED: { declined: 'soft', reason: 'The payment failed.' },
  EXPIRED: { declined: 'soft', reason: 'The payment was not made in time.' },
  BLOCKED: { declined: 'hard', reason: 'The account may not pay.' },
});
