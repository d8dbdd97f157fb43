import { defineMethod, field, text } from '@railyard/core';
import * as z from 'zod';
import { person } from './person.ts';

/** A deposit that the payer makes from a wallet that is in their own name (2-methods.md, Deposit method with partner signature). */
export const cashWalletDeposit = defineMethod({
  key: 'cash-wallet-deposit',
  title: { en: 'Deposit from a wallet', pt: 'Depósito de uma carteira' },
  operations: {
    purchase: {
      needs: { 'customer.name': person.name, 'customer.birth_date': person.birthDate },
      parameters: z.strictObject({
        payer_id: field(text({ max: 255 }), {
          label: 'Id of the payer',
          help: 'The merchant’s own, the same for each deposit of this payer and of no other one.',
          example: 'user-7781',
        }),
      }),
      completion: ['redirect'],
    },
  },
});
