import { checkedString, defineMethod, field, type Rule, TEXTS } from '@railyard/core';
import * as z from 'zod';
import { checkAddress } from '../address-check.ts';
import { fiatCurrencies } from '../assets.ts';

const problemOf = (text: string) => {
  const read = checkAddress(text, 'BTC', 'bitcoin');
  return read !== 'unknown-asset' && read.ok ? undefined : TEXTS.notValid;
};

/** Without a pull payment the amount of a payout is one of its own currency. */
const inBitcoin: Rule = {
  paths: ['address'],
  level: 'error',
  says: 'The order is in BTC.',
  check: (_parameters, { currency }) =>
    currency === undefined || currency === 'BTC'
      ? undefined
      : { of: 'session', path: 'order.currency', message: TEXTS.choice },
};

/**
 * Bitcoin by BTCPay Server: an invoice with an address of its own, and a payout to an address.
 *
 * @example { parameters: { 'bitcoin-btcpay': {} } }
 */
export const bitcoinBtcpay = defineMethod({
  key: 'bitcoin-btcpay',
  title: 'Bitcoin',
  operations: {
    purchase: { parameters: z.strictObject({}), completion: ['address'] },
    credit: {
      parameters: z.strictObject({
        address: field(checkedString(problemOf), {
          label: 'Bitcoin address of the receiver',
          example: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
        }),
      }),
      completion: [],
      rules: [inBitcoin],
    },
  },
  currencies: [...fiatCurrencies, 'BTC'],
});
