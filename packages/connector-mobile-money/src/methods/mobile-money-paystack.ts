import { defineMethod, email, field, type Rule, text, TEXTS } from '@railyard/core';
import * as z from 'zod';
import { askedPhone, receiverPhone } from '../phones.ts';
import { numberOfCurrency } from './mobile-money.ts';

/**
 * Networks by the currency of their country: of Ghana as Paystack lists them (github.com/PaystackOSS/doc-code-snippets,
 * doc/transfers/single/list-telcos.js), of Kenya `mpesa` (paystack.com/docs/api/charge).
 */
const NETWORKS: Readonly<Record<string, string>> = { mtn: 'GHS', atl: 'GHS', vod: 'GHS', mpesa: 'KES' };

const ghana = ['mtn', 'atl', 'vod'] as const;
const labels = {
  label: { en: 'Network', pt: 'Rede' },
  names: { mtn: 'MTN', atl: 'AirtelTigo', vod: 'Vodafone (Telecel)', mpesa: 'M-PESA' },
  example: 'mtn',
} as const;

const networkOfCurrency: Rule = {
  paths: ['network'],
  level: 'error',
  says: 'The network is one of the country of order.currency.',
  check: ({ network }, { currency }) =>
    currency === undefined || NETWORKS[String(network)] === currency
      ? undefined
      : { path: 'network', message: TEXTS.choice },
};

const rules = [networkOfCurrency, numberOfCurrency];

/**
 * Mobile money in Ghana and Kenya by Paystack: a charge that the payer confirms on the phone or with a code, and a transfer to a wallet in
 * Ghana.
 *
 * @example { parameters: { 'mobile-money-paystack': { mobile_number: '233551234987', network: 'mtn' } } }
 */
export const mobileMoneyPaystack = defineMethod({
  key: 'mobile-money-paystack',
  title: { en: 'Mobile money', pt: 'Dinheiro móvel' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        mobile_number: askedPhone({ example: '233551234987' }),
        network: field(z.enum([...ghana, 'mpesa']), { ...labels, sources: ['payer'] }),
      }),
      needs: {
        'customer.email': field(email(), {
          label: 'E-mail',
          input: 'email',
          autocomplete: 'email',
          sources: ['payer'],
        }),
      },
      completion: ['collect', 'confirm-on-device'],
      rules,
    },
    credit: {
      parameters: z.strictObject({
        mobile_number: receiverPhone('233551234987'),
        network: field(z.enum(ghana), labels),
      }),
      needs: { 'payee.name': field(text({ max: 255 }), { label: 'Name of the payee' }) },
      completion: [],
      rules,
    },
  },
  currencies: ['GHS', 'KES'],
});
