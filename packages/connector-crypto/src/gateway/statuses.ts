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

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['DUPLICATE_REFERENCE']);
