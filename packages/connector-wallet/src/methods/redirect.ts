import { plain } from './plain.ts';

/** A payment that the payer approves on the pages of a wallet (2-methods.md, completion kind redirect). */
export const redirect = plain({
  key: 'redirect',
  title: 'PayPal',
  completion: 'redirect',
  // developer.paypal.com/docs/api/reference/currency-codes. CNY and MYR are for accounts of their own country.
  currencies:
    'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN RUB SEK SGD THB TWD USD'.split(' '),
});
