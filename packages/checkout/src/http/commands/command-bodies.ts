import type { TransactionBody } from '../../callbacks/content/transaction-body.ts';
import type { DetailsBody, LookupBody } from './lookup-commands.ts';

/** The answer to a command that was carried out. */
export type CommandAnswerBody = TransactionBody | LookupBody | DetailsBody | AcceptedTransaction;

/** The answer to a command whose end a callback tells. */
export interface AcceptedTransaction {
  readonly action: string;
  readonly result: 'ACCEPTED';
  readonly order_id: string;
  readonly trans_id: string;
  readonly test?: true;
}
