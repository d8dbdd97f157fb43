import { defineMethod, field, type Rule, TEXTS } from '@railyard/core';
import * as z from 'zod';
import { assets, fiatCurrencies } from '../assets.ts';
import {
  accountId,
  allowedCurrencies,
  bech32,
  cryptoType,
  FIAT_ORDER,
  networkType,
  receiveRules,
  sessionNeeds,
} from '../parameters.ts';

const shared = {
  network_type: networkType(),
  bech32: bech32(),
  accountId: accountId(),
  ...allowedCurrencies(),
};

/**
 * An address for as many coins as the payer likes. The coin is that of the order; an order in fiat names it.
 *
 * @example { order: { number: 'order-1', currency: 'BTC', description: 'Top up' }, methods: ['crypto-receive'] }
 */
export const cryptoReceive = defineMethod({
  key: 'crypto-receive',
  title: { en: 'Crypto receive', pt: 'Criptomoeda' },
  operations: {
    purchase: {
      parameters: z.strictObject({ crypto_type: cryptoType({ when: FIAT_ORDER }), ...shared }),
      needs: sessionNeeds,
      completion: ['address'],
      rules: receiveRules,
      openAmount: true,
    },
  },
  currencies: [...fiatCurrencies, ...assets],
});

/** Without a word of the account a request is not refused for it: only the service knows the account. */
const conversionIsOn: Rule = {
  paths: ['conversion'],
  level: 'error',
  says: 'The conversion is switched on for the account.',
  check: ({ conversion }, { account }) =>
    conversion === true || account === undefined
      ? undefined
      : { of: 'session', path: 'methods', message: TEXTS.choice },
};

/** The same for orders in fiat, whose coins are converted. */
export const cryptoReceiveFiat = defineMethod({
  key: 'crypto-receive-fiat',
  title: { en: 'Crypto receive, converted from fiat', pt: 'Criptomoeda, convertida da moeda do pedido' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        crypto_type: cryptoType({ sources: ['mid'] }),
        ...shared,
        conversion: field(z.boolean(), {
          label: 'Conversion',
          help: 'Coins are valued in the order’s currency. Only the account switches it on.',
          sources: ['mid'],
          request: false,
        }).default(false),
      }),
      needs: sessionNeeds,
      completion: ['address'],
      rules: [conversionIsOn, ...receiveRules],
      openAmount: true,
    },
  },
  currencies: fiatCurrencies,
});
