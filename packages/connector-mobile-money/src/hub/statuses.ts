import { type Reasons, statusTable } from '@railyard/core';

/** Words of charges and payouts. `timed_out` is left out on purpose: see `afterLookup`. */
export const statuses = statusTable({
  pending: 'pending',
  processing: 'pending',
  success: 'settled',
  failed: { declined: 'soft', code: 'not_completed' },
  cancelled: { declined: 'soft', code: 'cancelled_by_payer', reason: 'The request was cancelled on the phone.' },
  rejected: { declined: 'hard', code: 'declined_by_provider', reason: 'The operator refused the payment.' },
});

/** The provider's word for a request that the payer did not confirm in time. */
export const TIMED_OUT = 'timed_out';

/** Why something failed, where the provider says so. */
export const reasons: Reasons = new Map([
  ['insufficient_funds', { kind: 'soft', code: 'insufficient_funds' }],
  ['wrong_pin', { kind: 'soft', code: 'wrong_pin' }],
  ['limit_reached', { kind: 'soft', code: 'limit_exceeded' }],
  ['phone_unreachable', { kind: 'soft', code: 'phone_unreachable' }],
  [
    'unknown_subscriber',
    { kind: 'hard', code: 'account_not_found', reason: 'The number has no mobile money account.' },
  ],
]);

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['duplicate_reference']);
