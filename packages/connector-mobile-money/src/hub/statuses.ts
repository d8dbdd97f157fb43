import { type Reasons, statusTable } from '@railyard/core';

/** Words of charges and payouts. `timed_out` is left out on purpose: see `afterLookup`. */
export const statuses = statusTable({
  pending: 'pending',
  processing: 'pending',
  success: 'settled',
  failed: { declined: 'soft', reason: 'The payment failed.' },
  cancelled: { declined: 'soft', reason: 'The request was cancelled on the phone.' },
  rejected: { declined: 'hard', reason: 'The operator refused the payment.' },
});

/** The provider's word for a request that the payer did not confirm in time. */
export const TIMED_OUT = 'timed_out';

/** Why something failed, where the provider says so. */
export const reasons: Reasons = new Map([
  ['insufficient_funds', { kind: 'soft', reason: 'There is not enough money in the account.' }],
  ['wrong_pin', { kind: 'soft', reason: 'The PIN was wrong.' }],
  ['limit_reached', { kind: 'soft', reason: 'The limit of the account is reached.' }],
  ['phone_unreachable', { kind: 'soft', reason: 'The phone could not be reached.' }],
  ['unknown_subscriber', { kind: 'hard', reason: 'The number has no mobile money account.' }],
]);

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['duplicate_reference']);
