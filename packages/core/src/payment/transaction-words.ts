import type { Operation } from '../method/operation.ts';
import type { PaymentState } from './state.ts';
import type { PaymentStateName } from './transitions.ts';

/** The words of server-to-server commands for a transaction: in answers, in callbacks, in the answer to a lookup. */
export interface TransactionWords {
  readonly result: 'SUCCESS' | 'DECLINED' | 'REDIRECT' | 'INIT' | 'UNDEFINED';
  readonly status: TransactionStatus;
}

/** Reference: Modifications, results and statuses of S2S APM; for later events, S2S CARD. */
export type TransactionStatus =
  | 'PREPARE'
  | '3DS'
  | 'REDIRECT'
  | 'PENDING'
  | 'SETTLED'
  | 'DECLINED'
  | 'VOID'
  | 'REFUND'
  | 'REVERSAL'
  | 'CHARGEBACK';

const WORDS: Readonly<Record<PaymentStateName, TransactionWords>> = {
  created: { result: 'UNDEFINED', status: 'PREPARE' },
  pending: { result: 'UNDEFINED', status: 'PREPARE' },
  // PENDING means funds that are held (reference: Disagreements, 2).
  authorized: { result: 'SUCCESS', status: 'PENDING' },
  partially_approved: { result: 'UNDEFINED', status: 'PREPARE' },
  settled: { result: 'SUCCESS', status: 'SETTLED' },
  declined: { result: 'DECLINED', status: 'DECLINED' },
  expired: { result: 'DECLINED', status: 'DECLINED' },
  voided: { result: 'SUCCESS', status: 'VOID' },
  refunded: { result: 'SUCCESS', status: 'REFUND' },
  reversed: { result: 'SUCCESS', status: 'REVERSAL' },
  charged_back: { result: 'SUCCESS', status: 'CHARGEBACK' },
};

/**
 * The words for a payment. An unknown outcome is undefined, whatever state it is kept in, and a debit that was given back is reversed
 * (reference: S2S CARD, CREDITVOID).
 */
export function transactionWords(
  { state, unknown }: Pick<PaymentState, 'state' | 'unknown'>,
  operation: Operation,
): TransactionWords {
  if (unknown) return WORDS.pending;
  return state === 'refunded' && operation === 'debit' ? WORDS.reversed : WORDS[state];
}
