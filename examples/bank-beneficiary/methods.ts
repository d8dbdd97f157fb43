import { defineMethod, field } from '@railyard/core';
import { z } from 'zod';

/** A transfer from the payer's own bank account, ordered in the payer's name. */
export const bankBeneficiary = defineMethod({
  key: 'bank-beneficiary',
  title: 'Bank account',
  operations: {
    purchase: {
      parameters: z.strictObject({
        beneficiary: field(z.string().min(5).max(34), { label: 'Account of the beneficiary', sources: ['mid'] }),
      }),
      completion: ['collect'],
    },
  },
});
