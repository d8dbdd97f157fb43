import { defineMethod } from '@railyard/core';
import * as z from 'zod';
import { person } from './person.ts';

/** A wallet that wants to know all of its payer, for purchases alone (2-methods.md, Purchase-only customer fields). */
export const walletPayin = defineMethod({
  key: 'wallet-payin',
  title: { en: 'Wallet', pt: 'Carteira' },
  operations: {
    purchase: {
      needs: {
        'customer.name': person.name,
        'customer.email': person.email,
        'billing_address.phone': person.phone,
        'billing_address.country': person.country,
        'billing_address.address': person.address,
        'billing_address.city': person.city,
        'billing_address.zip': person.zip,
      },
      parameters: z.strictObject({}),
      completion: ['redirect'],
    },
  },
});
