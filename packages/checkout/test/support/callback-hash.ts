import { signCommand, signRequest, type SignOptions } from '@railyard/core/protocol';
import { merchant } from './pix-config.ts';

/** The legacy hash that a callback with these fields must carry. */
export function callbackHashOf(
  fields: Readonly<Record<string, string>>,
  password: string,
  options: SignOptions = {},
): string {
  const { id = '', order_number = '', order_amount = '', order_currency = '', order_description = '' } = fields;
  const signed = {
    payment_id: id,
    number: order_number,
    amount: order_amount,
    currency: order_currency,
    description: order_description,
  };
  return signRequest('callback', signed, password, options);
}

/** The hash that the callback of a payout by command must carry, as the merchant computes it. */
export function payoutCallbackHashOf(
  { trans_id = '', order_id = '', status = '' }: Readonly<Record<string, string>>,
  options: SignOptions = {},
): string {
  return signCommand('payout_callback', { trans_id, order_id, status }, merchant.password, options);
}
