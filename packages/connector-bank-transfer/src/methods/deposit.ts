import { defineMethod, field, type PayerText, text } from '@railyard/core';
import * as z from 'zod';

/** The protocol gives none of these a length or a form. */
const typed = (label: PayerText, example: string) => field(text({ max: 255 }), { label, sources: ['payer'], example });

/** Deposit from an account that the payer names; then they see where to pay (2-methods.md, Deposit-by-bank). No source gives it countries or currencies. */
export const bankDeposit = defineMethod({
  key: 'bank-deposit',
  title: { en: 'Bank deposit', pt: 'Depósito bancário' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        BankName: typed({ en: 'Name of your bank', pt: 'Nome do seu banco' }, 'Example Bank'),
        BankCode: typed({ en: 'Code of your bank', pt: 'Código do seu banco' }, '0123'),
        BranchName: typed({ en: 'Name of the branch', pt: 'Nome da agência' }, 'Main street'),
        BranchCode: typed({ en: 'Code of the branch', pt: 'Código da agência' }, '045'),
        AccountNumber: typed({ en: 'Number of your account', pt: 'Número da sua conta' }, '1234567'),
      }),
      completion: ['payment-details'],
    },
  },
});
