import { statusTable } from '@railyard/core';

/** Words of a deposit. An address has none: it is watched for ever. */
export const statuses = statusTable({
  seen: 'pending',
  confirmed: 'settled',
  rejected: { declined: 'hard', code: 'declined_by_provider', reason: 'The provider did not take the deposit.' },
});

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['duplicate_reference', 'key_in_use']);
