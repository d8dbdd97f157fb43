import { cardDigits, signCommand } from '@railyard/core/protocol';
import type { Fields } from './commands.ts';
import { merchant } from './service.ts';

/** Who signs: the merchant, unless another one is given. */
type Signer = Pick<typeof merchant, 'key' | 'password'>;

export const CARD_NUMBER = '4111111111111111';
export const PAYER_EMAIL = 'doe@example.com';

/** A card that leads to this end, by its expiry date (reference: Test cards). */
export const expiring = (expiry: string): Fields => {
  const [card_exp_month = '', card_exp_year = ''] = expiry.split('/');
  return { card_exp_month, card_exp_year };
};

let orders = 0;

/** The fields of a SALE by card; `change` is put in before it is signed, and an empty value takes a field out. */
export function saleFields(change: Fields = {}, { key, password }: Signer = merchant): Fields {
  orders += 1;
  const all = {
    action: 'SALE',
    client_key: key,
    order_id: `sale-${process.pid}-${orders}`,
    order_amount: '1.99',
    order_currency: 'USD',
    order_description: 'Product',
    card_number: CARD_NUMBER,
    ...expiring('01/2038'),
    card_cvv2: '123',
    payer_first_name: 'John',
    payer_last_name: 'Doe',
    payer_address: 'Big street',
    payer_country: 'US',
    payer_state: 'CA',
    payer_city: 'City',
    payer_zip: '123456',
    payer_email: PAYER_EMAIL,
    payer_phone: '199999999',
    payer_ip: '123.123.123.123',
    term_url_3ds: 'https://shop.example/return.php?a=1',
    ...change,
  };
  const fields: Fields = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  const card = fields['card_number'] === undefined ? (fields['card_token'] ?? '') : cardDigits(fields['card_number']);
  return { hash: signCommand('card', { payer_email: fields['payer_email'] ?? '', card }, password), ...fields };
}

/** A command on a transaction of the card of `saleFields`. */
export function onTransaction(
  action: string,
  trans_id: string,
  more: Fields = {},
  { key, password }: Signer = merchant,
): Fields {
  const hash = transactionHash(trans_id, password);
  return { action, client_key: key, trans_id, hash, ...more };
}

export const transactionHash = (trans_id: string, password: string = merchant.password): string =>
  signCommand('card_transaction', { payer_email: PAYER_EMAIL, trans_id, card: cardDigits(CARD_NUMBER) }, password);
