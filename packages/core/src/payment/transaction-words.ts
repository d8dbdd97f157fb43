import type { Operation } from '../method/operation.ts';
import type { PaymentState } from './state.ts';
import type { PaymentStateName } from './transitions.ts';

export const TRANSACTION_RESULTS = ['SUCCESS', 'DECLINED', 'REDIRECT', 'INIT', 'UNDEFINED'] as const;

/** Reference: Modifications, results and statuses of S2S APM; for later events, S2S CARD. */
export const TRANSACTION_STATUSES = [
  'PREPARE',
  '3DS',
  'REDIRECT',
  'PENDING',
  'SETTLED',
  'DECLINED',
  'VOID',
  'REFUND',
  'REVERSAL',
  'CHARGEBACK',
] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** The words of server-to-server commands for a transaction: in answers, in callbacks, in the answer to a lookup. */
export interface TransactionWords {
  readonly result: (typeof TRANSACTION_RESULTS)[number];
  readonly status: TransactionStatus;
}

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
