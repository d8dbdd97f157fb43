import { signRequest, type SignOptions } from '@railyard/core';

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
