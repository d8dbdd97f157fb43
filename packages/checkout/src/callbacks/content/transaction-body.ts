import { transactionWords } from '@railyard/core/payment';
import type { SessionRequest } from '@railyard/core/protocol';
import { callbackDate } from './callback-fields.ts';
import { stateOf } from '../../payments/state/payment-state.ts';
import type { MerchantScope, Payment } from '../../storage/index.ts';

const MAX_REASON = 1024;

/** The answer to a command that moves money, or to a lookup; the lookup leaves date and amount out. */
export interface TransactionBody {
  readonly action: string;
  readonly result: string;
  readonly status: string;
  readonly order_id: string;
  readonly trans_id: string;
  readonly trans_date?: string;
  readonly decline_reason?: string;
  readonly amount?: string;
  readonly currency?: string;
  /** Ours: it was begun with the test key. Absent of what is live. */
  readonly test?: true;
}

/** How a transaction stands, as its command is answered. The amount is byte for byte as it was sent. */
export function transactionBody(
  action: string,
  { order }: Pick<SessionRequest, 'order'>,
  payment: Payment,
  { test }: Pick<MerchantScope, 'test'>,
): TransactionBody {
  const { result, status } = transactionWords(stateOf(payment));
  return {
    action,
    result,
    status,
    order_id: order.number,
    trans_id: payment.merchantReference,
    trans_date: transactionDate(payment),
    ...declineReason(status, payment.reason),
    amount: order.amount ?? payment.received?.text ?? '',
    currency: order.currency,
    ...ofTest(test),
  };
}

/** Says of a test that it is one. */
export const ofTest = (test: boolean): { readonly test?: true } => (test ? { test: true } : {});

/** `YYYY-MM-DD hh:mm:ss` in UTC: when it was begun. */
export const transactionDate = ({ createdAt }: Pick<Payment, 'createdAt'>): string => callbackDate(createdAt.getTime());

/** Why it was declined, cut between characters. */
export function declineReason(status: string, reason: string | null | undefined): { readonly decline_reason?: string } {
  if (status !== 'DECLINED' || reason == null || reason === '') return {};
  return { decline_reason: [...reason].slice(0, MAX_REASON).join('') };
}
