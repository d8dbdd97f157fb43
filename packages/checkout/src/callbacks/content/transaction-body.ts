import type { Operation } from '@railyard/core';
import {
  type ModificationStateName,
  type PaymentState,
  type TransactionWords,
  transactionWords,
} from '@railyard/core/payment';
import type { SessionRequest } from '@railyard/core/protocol';
import { type Commission, commissionFields } from './commission-fields.ts';
import { callbackDate } from './callback-fields.ts';
import type { Redirect, RedirectFacts } from './redirect.ts';
import { stateOf } from '../../payments/state/payment-state.ts';
import type { MerchantScope, Payment } from '../../storage/index.ts';

const MAX_REASON = 1024;

/** The answer to a command that moves money, or to a lookup; the lookup leaves date and amount out. */
export interface TransactionBody extends Redirect, TransactionTokens, Commission {
  readonly action: string;
  readonly result: string;
  readonly status: string;
  readonly order_id: string;
  readonly trans_id: string;
  readonly trans_date?: string;
  readonly decline_reason?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly digital_wallet?: string;
  readonly pan_type?: string;
  /** Ours: it was begun with the test key. Absent of what is live. */
  readonly test?: true;
}

/** The tokens that later payments are made with, once the transaction has succeeded. */
export interface TransactionTokens {
  readonly recurring_token?: string;
  readonly schedule_id?: string;
  readonly schedule_start_date?: string;
  readonly payment_schedule_amount?: string;
  readonly first_recurring_date?: string;
  readonly card_token?: string;
}

/** A payout of coins that the provider has taken and the network has not confirmed (reference: CREDIT2CRYPTO). */
const COINS_UNDER_WAY: TransactionWords = { result: 'INIT', status: 'PENDING' };

/** The costs of a debit are said, and its merchant has yet to confirm it (reference: DEBIT2VIRTUAL_CALC). */
const CALCULATED: TransactionWords = { result: 'SUCCESS', status: 'PREPARE' };

/**
 * The words of a transaction, and where its payer is sent while it waits for that.
 *
 * @param of.action of the command that began it
 */
export function standing(
  payment: Pick<PaymentState, 'state' | 'unknown'>,
  redirect: RedirectFacts | undefined,
  { action, operation }: { readonly action: string | undefined; readonly operation: Operation },
): TransactionWords & Redirect {
  const words = transactionWords(payment, operation);
  if (action === 'CREDIT2CRYPTO' && payment.state === 'pending' && !payment.unknown) return COINS_UNDER_WAY;
  if (action === 'DEBIT2VIRTUAL_CALC' && payment.state === 'created' && !payment.unknown) return CALCULATED;
  if (redirect === undefined || words.status !== 'PREPARE' || payment.unknown) return words;
  return { result: redirect.result, status: redirect.status, ...redirect.redirect };
}

/** How a transaction stands, as its command is answered. The amount is byte for byte as it was sent. */
export function transactionBody(
  action: string,
  { order }: Pick<SessionRequest, 'order'>,
  payment: Payment,
  { test }: Pick<MerchantScope, 'test'>,
  more: { readonly redirect?: RedirectFacts; readonly tokens?: TransactionTokens } = {},
): TransactionBody {
  const {
    result: told,
    status,
    ...redirect
  } = standing(stateOf(payment), more.redirect, {
    action,
    operation: payment.operation,
  });
  // A payment that waits for the payer's crypto is a success of the command, and reported as started in callbacks (reference: S2S APM, SALE).
  const result = told === 'INIT' && more.redirect !== undefined ? 'SUCCESS' : told;
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
    ...commissionFields(action, { order }, payment),
    ...redirect,
    ...more.tokens,
    ...(payment.digitalWallet !== null && { digital_wallet: payment.digitalWallet }),
    ...(payment.panType !== null && { pan_type: payment.panType }),
    ...ofTest(test),
  };
}

/** The result of a modification, as commands word it. One that is not known yet is undefined. */
export const MODIFICATION_WORDS = {
  requested: 'UNDEFINED',
  pending: 'UNDEFINED',
  unknown: 'UNDEFINED',
  succeeded: 'SUCCESS',
  failed: 'DECLINED',
} as const satisfies Readonly<Record<ModificationStateName, string>>;

/** Says of a test that it is one. */
export const ofTest = (test: boolean): { readonly test?: true } => (test ? { test: true } : {});

/** `YYYY-MM-DD hh:mm:ss` in UTC: when it was begun. */
export const transactionDate = ({ createdAt }: Pick<Payment, 'createdAt'>): string => callbackDate(createdAt.getTime());

/** Why it was declined, cut between characters. */
export function declineReason(status: string, reason: string | null | undefined): { readonly decline_reason?: string } {
  if (status !== 'DECLINED' || reason == null || reason === '') return {};
  return { decline_reason: [...reason].slice(0, MAX_REASON).join('') };
}
