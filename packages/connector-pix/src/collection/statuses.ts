import { statusTable } from '@railyard/core';

export const statuses = statusTable({
  CREATED: 'pending',
  PENDING: 'pending',
  PAID: 'settled',
  EXPIRED: { declined: 'soft', code: 'expired', reason: 'The code expired before it was paid.' },
  FAILED: { declined: 'soft', code: 'not_completed' },
  CANCELLED: { declined: 'hard', code: 'cancelled', reason: 'The collection was cancelled.' },
});
