import { statusTable } from '@railyard/core';

/** Words of deposits, conversions and withdrawals. */
export const statuses = statusTable({
  NEW: 'pending',
  WAITING_FOR_PAYER: 'pending',
  CONFIRMING: 'pending',
  COMPLETED: 'settled',
  EXPIRED: { declined: 'soft', code: 'expired', reason: 'Nothing was paid in time.' },
  CANCELLED: { declined: 'soft', code: 'cancelled_by_payer', reason: 'The payer cancelled.' },
  REJECTED: { declined: 'hard', code: 'declined_by_provider' },
});

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['DUPLICATE_REFERENCE']);
