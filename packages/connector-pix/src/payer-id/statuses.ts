import { statusTable } from '@railyard/core';

export const statuses = statusTable({
  waiting: 'pending',
  approved: 'settled',
  expired: { declined: 'soft', reason: 'The payment was not made in time.' },
  refused: { declined: 'soft', reason: 'The payer’s bank refused the payment.' },
  blocked: { declined: 'hard', reason: 'The payer’s document is not accepted.' },
});

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['duplicate_reference']);
