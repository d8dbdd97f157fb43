import { defineMethod } from '@railyard/core';
import * as z from 'zod';

/** A payment that the payer approves on the pages of a wallet (2-methods.md, completion kind redirect). */
export const redirect = defineMethod({
  key: 'redirect',
  title: 'PayPal',
  operations: {
    purchase: { parameters: z.strictObject({}), completion: ['redirect'] },
  },
  // developer.paypal.com/docs/api/reference/currency-codes. CNY and MYR are for accounts of their own country.
  currencies:
    'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN RUB SEK SGD THB TWD USD'.split(' '),
});
