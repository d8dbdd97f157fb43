import { defineMethod, field } from '@railyard/core';
import { customerFields } from '@railyard/core/payer';
import * as z from 'zod';

/** Bank transfer on the pages of the payer's bank (2-methods.md, bank-redirect method variant). It takes nothing but the payer's name. */
export const onlineBankTransfer = defineMethod({
  key: 'online-bank-transfer',
  title: { en: 'Online bank transfer', pt: 'Transferência bancária online' },
  operations: {
    purchase: {
      parameters: z.strictObject({}),
      needs: {
        'customer.name': field(customerFields.name, {
          label: 'Name',
          help: { en: 'First and last name, as at the bank.', pt: 'Nome e sobrenome, como no banco.' },
          input: 'text',
          autocomplete: 'name',
          sources: ['payer'],
          example: 'Ada Lovelace',
        }),
      },
      completion: ['redirect'],
    },
  },
});
