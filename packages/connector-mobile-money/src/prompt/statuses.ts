import { statusTable } from '@railyard/core';

/** Words of requests to a phone. `expired` is left out on purpose: see `afterLookup`. */
export const statuses = statusTable({
  code_needed: 'pending',
  waiting: 'pending',
  confirmed: 'settled',
  declined: { declined: 'soft', code: 'cancelled_by_payer', reason: 'The request was declined on the phone.' },
  no_money: { declined: 'soft', code: 'insufficient_funds' },
  refused: { declined: 'hard', code: 'declined_by_provider', reason: 'The network refused the payment.' },
});

/** The provider's word for a request that the payer did not confirm in time. */
export const TIMED_OUT = 'expired';
/** The provider's word for a request that waits for the code it sent. */
export const CODE_NEEDED = 'code_needed';

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['key_in_use', 'duplicate_reference']);
