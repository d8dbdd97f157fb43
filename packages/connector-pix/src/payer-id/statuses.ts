import { statusTable } from '@railyard/core';

export const statuses = statusTable({
  waiting: 'pending',
  approved: 'settled',
  expired: { declined: 'soft', code: 'expired' },
  refused: { declined: 'soft', code: 'declined_by_bank', reason: 'The payer’s bank refused the payment.' },
  blocked: { declined: 'hard', code: 'document_not_accepted' },
});

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['duplicate_reference']);
