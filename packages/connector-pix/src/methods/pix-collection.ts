import { defineMethod, field, publicUrl, text } from '@railyard/core';
import * as z from 'zod';
import { brazil } from '../brazil.ts';
import { pixLimits } from '../limits.ts';

/**
 * Pix through a collection account. The field names are the collection provider's own (protocol: Collection provider
 * methods); amount and currency are those of the order.
 */
export const pixCollection = defineMethod({
  key: 'pix-collection',
  title: { en: 'Pix by collection account', pt: 'Pix por conta de cobrança' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        expiryDate: field(z.iso.datetime({ offset: true }), {
          label: 'Expiry of the payment link',
          help: 'ISO 8601 with a zone. One day from now unless given.',
          sources: ['mid'],
          example: '2037-01-01T00:00:00Z',
        }).optional(),
        callbackUrl: field(publicUrl(), {
          label: 'Address for the provider’s notifications',
          help: 'A public https address. The checkout’s own unless given; with another one the checkout finds the outcome by lookup.',
          sources: ['mid'],
        }).optional(),
        reference: field(text({ max: 255 }), {
          label: 'Reference at the provider',
          help: 'The checkout’s own unless given.',
        }).optional(),
        merchantType: field(text({ max: 255 }), { label: 'Type of the merchant', sources: ['mid'] }),
        merchantName: field(text({ max: 255 }), { label: 'Name of the merchant', sources: ['mid'] }),
        accountId: field(text({ max: 255 }), {
          label: 'Collection account',
          help: 'The id that the provider gave to the account.',
          sources: ['mid'],
        }),
        market: field(z.enum(['BR']).default('BR'), { label: 'Market', sources: ['mid'] }),
        type: field(z.enum(['PIX']).default('PIX'), { label: 'Type of the collection', sources: ['mid'] }),
      }),
      completion: ['qr'],
      rules: [
        {
          paths: ['expiryDate'],
          level: 'error',
          says: 'expiryDate is not before today.',
          // A day is all that validation knows; a time earlier today is declined before the provider is asked.
          check: ({ expiryDate }, { today }) =>
            today !== undefined && new Date(String(expiryDate)).toISOString().slice(0, 10) < today
              ? { path: 'expiryDate', message: 'This value should not be in the past.' }
              : undefined,
        },
      ],
    },
  },
  currencies: ['BRL'],
  home: brazil,
  limits: pixLimits,
});
