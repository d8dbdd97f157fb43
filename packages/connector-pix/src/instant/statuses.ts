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

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['external_id_taken', 'idempotency_key_in_use']);
