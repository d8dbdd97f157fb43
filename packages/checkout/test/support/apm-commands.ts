import { signCommand } from '@railyard/core/protocol';
import type { Fields } from './commands.ts';
import { merchant } from './service.ts';

/** Who signs: the merchant, unless another one is given. */
type Signer = Pick<typeof merchant, 'key' | 'password'>;

let orders = 0;

/** The fields of a SALE of S2S APM; `change` is put in before it is signed. */
export function apmSaleFields(change: Fields = {}, { key, password }: Signer = merchant): Fields {
  orders += 1;
  const fields: Fields = {
    action: 'SALE',
    client_key: key,
    brand: 'pix',
    order_id: `apm-${process.pid}-${orders}`,
    order_amount: '10.00',
    order_currency: 'BRL',
    order_description: 'Tea',
    identifier: 'NA',
    payer_ip: '192.0.2.1',
    return_url: 'https://shop.example/back',
    ...change,
  };
  const { identifier = '', order_id = '', order_amount = '', order_currency = '' } = fields;
  return {
    hash: signCommand('collection', { identifier, order_id, order_amount, order_currency }, password),
    ...fields,
  };
}

/** A later command on a transaction of S2S APM (reference: Signatures of S2S APM, B and C). */
export function onApmTransaction(
  action: string,
  trans_id: string,
  change: Fields = {},
  { key, password }: Signer = merchant,
): Fields {
  const formula = action === 'CREDITVOID' ? 'credit_void' : 'transaction';
  return { action, client_key: key, trans_id, hash: signCommand(formula, { trans_id }, password), ...change };
}
