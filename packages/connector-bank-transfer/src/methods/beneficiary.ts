import { defineMethod, field, text } from '@railyard/core';
import * as z from 'zod';

/** Whom the payer's bank pays. No source names the fields or gives them a form. */
export const beneficiary = z.strictObject({
  name: field(text({ max: 255 }), {
    label: { en: 'Name of the beneficiary', pt: 'Nome do beneficiário' },
    example: 'Example Shop',
  }),
  account: field(text({ max: 255 }), {
    label: { en: 'Account of the beneficiary', pt: 'Conta do beneficiário' },
    example: '1234567890',
  }),
});

/** A transfer in steps, in each of which the bank may ask for a code (2-methods.md, Bank-beneficiary). No source gives it countries or currencies. */
export const bankBeneficiary = defineMethod({
  key: 'bank-beneficiary',
  title: { en: 'Transfer from your bank', pt: 'Transferência do seu banco' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        beneficiary: field(beneficiary, {
          label: 'Beneficiary',
          help: 'Name and account. The payer is asked for them unless given.',
        }).optional(),
      }),
      completion: ['collect'],
    },
  },
});
