import type { TransactionBody } from '../../callbacks/content/transaction-body.ts';

/** The answer to a command that was carried out. */
export type CommandAnswerBody = TransactionBody | LookupBody | DetailsBody | AcceptedTransaction | ScheduleBody;

/** The answer to a command whose end a callback reports. */
export interface AcceptedTransaction {
  readonly action: string;
  readonly result: 'ACCEPTED';
  readonly order_id: string;
  readonly trans_id: string;
  readonly test?: true;
}

/** The answer to a command of a schedule (reference: S2S CARD, Schedules). */
export interface ScheduleBody {
  readonly action: string;
  readonly result: 'SUCCESS';
  readonly schedule_id?: string;
  readonly test?: true;
}

/** The answer to a lookup. */
export interface LookupBody extends TransactionBody {
  readonly card?: string;
  readonly card_expiration_date?: string;
}

/** One of the transactions that a payment is made of (reference: GET_TRANS_DETAILS). */
export interface TransactionPart {
  readonly type: 'sale' | 'auth' | 'capture' | 'refund' | 'reversal' | 'chargeback' | 'credit';
  readonly status: 'success' | 'waiting' | 'fail';
  readonly date: string;
  readonly amount: string;
}

export interface DetailsBody extends LookupBody {
  readonly name?: string;
  readonly mail?: string;
  readonly ip?: string;
  readonly transactions: readonly TransactionPart[];
}
