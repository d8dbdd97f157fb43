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

/** Payment transaction statuses of ISO 20022 in the words of its list (ExternalPaymentTransactionStatus1Code). */
export const words = {
  RCVD: 'pending',
  PDNG: 'pending',
  PATC: {
    meaning: 'pending',
    says: 'The payment initiation needs multiple authentications, where some but not yet all have been performed.',
  },
  ACTC: { meaning: 'pending', says: 'Authentication and syntactical and semantical validation are successful' },
  ACFC: {
    meaning: 'pending',
    says: 'Preceding check of technical validation and customer profile was successful and an automatic funds check was positive.',
  },
  ACCP: {
    meaning: 'pending',
    says: 'Preceding check of technical validation was successful. Customer profile check was also successful.',
  },
  ACWC: {
    meaning: 'pending',
    says: 'Instruction is accepted but a change will be made, such as date or remittance not sent.',
  },
  ACSP: 'pending',
  ACWP: {
    meaning: 'pending',
    says: 'Payment instruction included in the credit transfer is accepted without being posted to the creditor customer’s account.',
  },
  ACSC: 'settled',
  ACCC: 'settled',
  RJCT: { declined: 'soft', code: 'declined_by_bank' },
  CANC: {
    meaning: { declined: 'soft', code: 'cancelled_by_payer', reason: 'The payment was cancelled at the bank.' },
    says: 'Payment initiation has been successfully cancelled after having received a request for cancellation.',
  },
} as const;

export const statuses = statusTable(words, reasons);
