import { type Reasons, statusTable } from '@railyard/core';

/** Payment transaction statuses of ISO 20022 (external payment transaction status codes). */
export const statuses = statusTable({
  RCVD: 'pending',
  PDNG: 'pending',
  PATC: 'pending',
  ACTC: 'pending',
  ACFC: 'pending',
  ACCP: 'pending',
  ACWC: 'pending',
  ACSP: 'pending',
  ACWP: 'pending',
  ACSC: 'settled',
  ACCC: 'settled',
  RJCT: { declined: 'soft', reason: 'The bank rejected the payment.' },
  CANC: { declined: 'soft', reason: 'The payment was cancelled at the bank.' },
});

/** Why a payment was rejected (ISO 20022, external status reason codes). Codes of the payee's account are for good. */
export const reasons: Reasons = new Map([
  ['AC01', { kind: 'hard', reason: 'The account number of the payee is not correct.' }],
  ['AC03', { kind: 'hard', reason: 'The account number of the payee is not correct.' }],
  ['AC04', { kind: 'hard', reason: 'The account is closed.' }],
  ['AC06', { kind: 'hard', reason: 'The account is blocked.' }],
  ['AG01', { kind: 'hard', reason: 'The account may not be used for this payment.' }],
  ['AM02', { kind: 'hard', reason: 'The bank does not take this amount.' }],
  ['AM04', { kind: 'soft', reason: 'There is not enough money in the account.' }],
  ['AM14', { kind: 'soft', reason: 'The limit of the account is reached.' }],
  ['CUST', { kind: 'soft', reason: 'The payment was cancelled at the bank.' }],
  ['DS02', { kind: 'soft', reason: 'The payment was cancelled at the bank.' }],
  ['DS24', { kind: 'soft', reason: 'The payment was not confirmed at the bank in time.' }],
]);

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['AM05', 'DU04']);
