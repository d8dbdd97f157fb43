import { defineMethod } from '@railyard/core';
import * as z from 'zod';
import { allowedCurrencies, coinIsAllowed, ticker } from '../parameters.ts';

/** The payer pays in a coin, which becomes the order's currency. */
export const cryptoConversion = defineMethod({
  key: 'crypto-conversion',
  title: 'Crypto conversion',
  operations: {
    purchase: {
      parameters: z.strictObject({
        cryptoCurrency: ticker({ label: 'Coin of the payment', example: 'BTC' }),
        ...allowedCurrencies(),
      }),
      completion: ['redirect', 'address'],
      rules: [coinIsAllowed('cryptoCurrency')],
    },
  },
});

/** The payer's money becomes a coin. */
export const conversionToCoin = defineMethod({
  key: 'conversion-to-coin',
  title: 'Conversion to coin',
  operations: {
    purchase: {
      parameters: z.strictObject({
        toCurrency: ticker({ label: 'Coin to convert to', example: 'USDT' }),
        ...allowedCurrencies(),
      }),
      completion: ['redirect', 'address'],
      rules: [coinIsAllowed('toCurrency')],
    },
  },
});
