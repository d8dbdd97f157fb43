import { defineMethod, field, type Rule, text, TEXTS } from '@railyard/core';
import * as z from 'zod';
import { checkAddress } from '../address-check.ts';
import { allowedCurrencies, coinIsAllowed, ticker } from '../parameters.ts';

const tradingAccountLogin = () => field(text({ max: 255 }), { label: 'Login of the trading account' }).optional();

/** Coins for a trading account, by a gateway of the provider's. */
export const tradingDeposit = defineMethod({
  key: 'trading-deposit',
  title: 'Trading deposit',
  operations: {
    purchase: {
      parameters: z.strictObject({
        paymentGatewayName: field(text({ max: 255 }), { label: 'Gateway of the deposit', example: 'main' }),
        paymentCurrency: ticker({ label: 'Coin deposited', example: 'BTC' }),
        tradingAccountLogin: tradingAccountLogin(),
        ...allowedCurrencies(),
      }),
      completion: ['redirect', 'address'],
      rules: [coinIsAllowed('paymentCurrency')],
      openAmount: true,
    },
  },
});

/** No asset has longer ones; signs of markup are in none of them. */
const PLAIN_ADDRESS = /^[A-Za-z0-9][A-Za-z0-9:_-]{9,127}$/;

/** Coins that are sent to an address of another family, or to a mistyped one, are lost. */
const addressIsOfTheCoin: Rule = {
  paths: ['withdrawCurrency', 'address'],
  level: 'error',
  says: 'address is one of withdrawCurrency, its checksum is right, and only an account for tests takes one of a test network.',
  check: ({ withdrawCurrency: asset, address }, { account }) => {
    const read = checkAddress(String(address), String(asset));
    if (read === 'unknown-asset' || (read.ok && (!read.test || account?.test !== false))) return undefined;
    return { path: 'address', message: TEXTS.notValid };
  },
};

/** A payout from a trading account to a wallet. */
export const tradingWithdrawal = defineMethod({
  key: 'trading-withdrawal',
  title: 'Trading withdrawal',
  operations: {
    credit: {
      parameters: z.strictObject({
        withdrawCurrency: ticker({ label: 'Coin paid out', example: 'BTC' }),
        address: field(text({ max: 128, pattern: PLAIN_ADDRESS }), {
          label: 'Address of the wallet',
          example: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
        }),
        tradingAccountLogin: tradingAccountLogin(),
        ...allowedCurrencies(),
      }),
      completion: [],
      rules: [addressIsOfTheCoin, coinIsAllowed('withdrawCurrency')],
    },
  },
});
