import { statusTable } from '@railyard/core';

/** Words of charges and payouts. */
export const statuses = statusTable({
  PENDING: 'pending',
  PROCESSING: 'pending',
  PAID: 'settled',
  EXPIRED: { declined: 'soft', reason: 'The code expired before it was paid.' },
  CANCELLED: { declined: 'hard', reason: 'The charge was cancelled.' },
  REJECTED: { declined: 'hard', reason: 'The provider rejected the payment.' },
});
