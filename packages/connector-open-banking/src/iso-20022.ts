import { type Reasons, statusTable } from '@railyard/core';

/** Why a payment was rejected (ISO 20022, external status reason codes). Codes of the payee's account are for good. */
export const reasons: Reasons = new Map([
  ['AC01', { kind: 'hard', code: 'payee_not_valid', reason: 'The account number of the payee is not correct.' }],
  ['AC03', { kind: 'hard', code: 'payee_not_valid', reason: 'The account number of the payee is not correct.' }],
  ['AC04', { kind: 'hard', code: 'account_closed' }],
  ['AC06', { kind: 'hard', code: 'account_restricted', reason: 'The account is blocked.' }],
  ['AG01', { kind: 'hard', code: 'account_restricted' }],
  ['AM02', { kind: 'hard', code: 'amount_not_accepted', reason: 'The bank does not take this amount.' }],
  ['AM04', { kind: 'soft', code: 'insufficient_funds' }],
  ['AM14', { kind: 'soft', code: 'limit_exceeded' }],
  ['CUST', { kind: 'soft', code: 'cancelled_by_payer', reason: 'The payment was cancelled at the bank.' }],
  ['DS02', { kind: 'soft', code: 'cancelled_by_payer', reason: 'The payment was cancelled at the bank.' }],
  ['DS24', { kind: 'soft', code: 'timed_out', reason: 'The payment was not confirmed at the bank in time.' }],
]);

/** Payment transaction statuses of ISO 20022 (external payment transaction status codes). */
export const words = {
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
  RJCT: { declined: 'soft', code: 'declined_by_bank' },
  CANC: { declined: 'soft', code: 'cancelled_by_payer', reason: 'The payment was cancelled at the bank.' },
} as const;

export const statuses = statusTable(words, reasons);
