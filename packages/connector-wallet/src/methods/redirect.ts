import { limitsTable } from '@railyard/core';
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

const VIPPS_CURRENCIES = ['NOK', 'DKK', 'EUR'];

/** A payment that the payer approves in the app of Vipps or MobilePay. */
export const walletVipps = plain({
  key: 'wallet-vipps',
  title: 'Vipps MobilePay',
  completion: 'redirect',
  currencies: VIPPS_CURRENCIES,
  limits: limitsTable(
    'vippsas/vipps-epayment-api, ePayment API 1.4.1: Amount.value',
    VIPPS_CURRENCIES.map((currency) => ({ currency, max: '650000' })),
  ),
});
