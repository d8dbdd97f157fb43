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
  PATC: { meaning: 'pending', says: 'several authentications are needed, and some are done' },
  ACTC: { meaning: 'pending', says: 'authentication and validation of the form were successful' },
  ACFC: { meaning: 'pending', says: 'the customer and the funds were checked, with success' },
  ACCP: { meaning: 'pending', says: 'the customer was checked, with success' },
  ACWC: { meaning: 'pending', says: 'accepted, and a change will be made' },
  ACSP: 'pending',
  ACWP: { meaning: 'pending', says: 'accepted, and not posted to the account of the creditor' },
  ACSC: 'settled',
  ACCC: 'settled',
  RJCT: { declined: 'soft', code: 'declined_by_bank' },
  CANC: {
    meaning: { declined: 'soft', code: 'cancelled_by_payer', reason: 'The payment was cancelled at the bank.' },
    says: 'the initiation was cancelled after a request for it',
  },
} as const;

export const statuses = statusTable(words, reasons);
