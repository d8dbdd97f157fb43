import { statusTable } from '@railyard/core';

/** Words of a deposit. An address has none: it is watched for ever. */
export const statuses = statusTable({
  seen: 'pending',
  confirmed: 'settled',
  rejected: { declined: 'hard', reason: 'The provider did not take the deposit.' },
});
