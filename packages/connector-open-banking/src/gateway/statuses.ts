import { statusTable } from '@railyard/core';

export const statuses = statusTable({
  NEW: 'pending',
  REDIRECTED: 'pending',
  PROCESSING: 'pending',
  PAID: 'settled',
  FAILED: { declined: 'soft', code: 'declined_by_bank', reason: 'The payer’s bank refused the payment.' },
  CANCELLED: { declined: 'soft', code: 'cancelled_by_payer', reason: 'The payment was cancelled at the bank.' },
  EXPIRED: { declined: 'soft', code: 'timed_out', reason: 'The payment was not confirmed at the bank in time.' },
  BLOCKED: { declined: 'hard', code: 'account_restricted' },
});

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['DUPLICATE_REFERENCE']);
