import { statusTable } from '@railyard/core';

/** Words of charges and payouts. */
export const statuses = statusTable({
  PENDING: 'pending',
  PROCESSING: 'pending',
  PAID: 'settled',
  EXPIRED: { declined: 'soft', code: 'expired', reason: 'The code expired before it was paid.' },
  CANCELLED: { declined: 'hard', code: 'cancelled', reason: 'The charge was cancelled.' },
  REJECTED: { declined: 'hard', code: 'declined_by_provider', reason: 'The provider rejected the payment.' },
});

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['external_id_taken', 'idempotency_key_in_use']);
