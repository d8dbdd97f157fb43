import { statusTable } from '@railyard/core';

/** Words of deposits, conversions and withdrawals. */
export const statuses = statusTable({
  NEW: 'pending',
  WAITING_FOR_PAYER: 'pending',
  CONFIRMING: 'pending',
  COMPLETED: 'settled',
  EXPIRED: { declined: 'soft', reason: 'Nothing was paid in time.' },
  CANCELLED: { declined: 'soft', reason: 'The payer cancelled.' },
  REJECTED: { declined: 'hard', reason: 'The provider refused the payment.' },
});
