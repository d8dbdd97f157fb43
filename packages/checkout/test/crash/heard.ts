import { signCallbackFields, signCommand } from '@railyard/core/protocol';
import { callbackHashOf } from '../support/callback-hash.ts';
import { transactionHash } from '../support/card-commands.ts';
import { merchant, trial } from '../support/pix-config.ts';

type Fields = Readonly<Record<string, string>>;

/** A callback as the merchant reads it, whichever protocol it came by. */
export interface Heard {
  /** The payment's public id; the transaction of a command is its reference at the provider. */
  readonly payment: string | undefined;
  readonly order: string | undefined;
  /** How the payment stands, in the words of its states, where the callback says one of these. */
  readonly state: 'settled' | 'refunded' | 'declined' | undefined;
  /** Nothing is known. */
  readonly isUndefined: boolean;
  readonly isHashRight: boolean;
}

const HOSTED: Readonly<Record<string, Heard['state']>> = {
  settled: 'settled',
  refund: 'refunded',
  decline: 'declined',
};
const COMMANDS: Readonly<Record<string, Heard['state']>> = {
  SETTLED: 'settled',
  REFUND: 'refunded',
  DECLINED: 'declined',
};

export function heardOf(fields: Fields): Heard {
  if (fields['trans_id'] === undefined)
    return {
      payment: fields['id'],
      order: fields['order_number'],
      state: HOSTED[fields['order_status'] ?? ''],
      isUndefined: fields['status'] === 'undefined',
      isHashRight: fields['hash'] === callbackHashOf(fields, (fields['test'] === 'true' ? trial : merchant).password),
    };
  const { trans_id, order_id, status = '', result, hash } = fields;
  return {
    payment: trans_id,
    order: order_id,
    state: COMMANDS[status],
    isUndefined: result === 'UNDEFINED',
    isHashRight: hash === commandHashOf(fields),
  };
}

/** A callback of S2S CARD is signed with the payer's e-mail and card, one of S2S APM with its own fields (reference: Signatures). */
function commandHashOf(fields: Fields): string {
  const { trans_id = '', order_id = '', action } = fields;
  if (order_id.startsWith('card-')) return transactionHash(trans_id);
  return action === 'CREDITVOID'
    ? signCommand('credit_void', { trans_id }, merchant.password)
    : signCallbackFields(fields, merchant.password);
}

/** Whether a callback is of this payment. */
export const isOf = (
  { payment }: Heard,
  { id, merchantReference }: { readonly id: string; readonly merchantReference: string },
): boolean => payment === id || payment === merchantReference;
