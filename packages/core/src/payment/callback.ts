import type { Operation } from '../method/operation.ts';
import type { PaymentState } from './decide.ts';

/** The three words of a callback that together say what happened (reference: Callback, Meaning table). */
export interface CallbackWords {
  readonly type: 'sale' | 'debit' | 'credit' | 'transfer';
  readonly status: 'success' | 'fail' | 'waiting' | 'undefined';
  readonly order_status: 'settled' | 'pending' | 'decline' | 'prepare';
}

const TYPES = { purchase: 'sale', debit: 'debit', credit: 'credit', transfer: 'transfer' } as const;

/** The words for a payment as it now stands. An unknown outcome is `undefined`, to be cleared up by a status lookup. */
export function callbackWords(operation: Operation, payment: PaymentState): CallbackWords {
  const type = TYPES[operation];
  if (payment.unknown) return { type, status: 'undefined', order_status: 'prepare' };
  switch (payment.state) {
    case 'settled':
      return { type, status: 'success', order_status: 'settled' };
    case 'authorized':
      // An authorisation held is told as a success that is still pending.
      return { type, status: 'success', order_status: 'pending' };
    case 'declined':
      return { type, status: 'fail', order_status: 'decline' };
    default:
      return { type, status: 'waiting', order_status: payment.state === 'created' ? 'prepare' : 'pending' };
  }
}

/** The `status` word of a status lookup: lower case, `decline` and not `declined`. */
export function statusWord(payment: PaymentState): CallbackWords['order_status'] {
  return payment.unknown ? 'pending' : callbackWords('purchase', payment).order_status;
}
