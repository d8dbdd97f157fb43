import { statusTable } from '@railyard/core';

/** Words of a transaction. `INDETERMINATE` and `EXPIRED` are left out on purpose: they are looked up, see `afterLookup`. */
export const statuses = statusTable({
  PENDING: 'pending',
  SUCCEEDED: 'settled',
  FAILED: { declined: 'soft', code: 'not_completed' },
});

/** The provider's word for a request that the payer did not confirm in time. */
export const TIMED_OUT = 'EXPIRED';

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['-22']);
