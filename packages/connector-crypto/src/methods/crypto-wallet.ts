import { defineMethod } from '@railyard/core';
import * as z from 'zod';
import { assets, fiatCurrencies } from '../assets.ts';
import {
  accountId,
  allowedCurrencies,
  bech32,
  cryptoType,
  networkType,
  receiveRules,
  sessionNeeds,
} from '../parameters.ts';

/**
 * A coin sent to an address that is made for the payment.
 *
 * @example { parameters: { 'crypto-wallet': { crypto_type: 'USDT', network_type: 'tron' } } }
 */
export const cryptoWallet = defineMethod({
  key: 'crypto-wallet',
  title: { en: 'Crypto wallet', pt: 'Carteira de criptomoedas' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        crypto_type: cryptoType(),
        network_type: networkType(),
        bech32: bech32(),
        accountId: accountId(),
        ...allowedCurrencies(),
      }),
      needs: sessionNeeds,
      completion: ['address'],
      rules: receiveRules,
      openAmount: true,
    },
  },
  currencies: [...fiatCurrencies, ...assets],
});
