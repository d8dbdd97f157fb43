import { statusTable } from '@railyard/core';

export const statuses = statusTable({
  CREATED: 'pending',
  PENDING: 'pending',
  PAID: 'settled',
  EXPIRED: { declined: 'soft', reason: 'The code expired before it was paid.' },
  FAILED: { declined: 'soft', reason: 'The payment failed.' },
  CANCELLED: { declined: 'hard', reason: 'The collection was cancelled.' },
});
