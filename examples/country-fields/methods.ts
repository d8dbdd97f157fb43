import { defineMethod, field } from '@railyard/core';
import { z } from 'zod';

const document = (pattern: RegExp, label: string) =>
  field(z.string().regex(pattern), { label, input: 'digits', sources: ['payer'] });

/** The fields that a bank of the region needs depend on where the payer lives. */
export const regionalBank = defineMethod({
  key: 'regional-bank',
  title: 'Bank of the region',
  currencies: ['USD'],
  operations: {
    purchase: {
      needs: {
        'billing_address.country': field(z.enum(['BR', 'CO', 'MX']), {
          label: 'Country',
          input: 'select',
          sources: ['payer'],
        }),
      },
      variants: {
        by: 'billing_address.country',
        cases: {
          BR: z.strictObject({ cpf: document(/^\d{11}$/, 'CPF') }),
          CO: z.strictObject({
            document_type: field(z.enum(['CC', 'CE', 'NIT']), { label: 'Type of document', sources: ['payer'] }),
            document: document(/^\d{6,10}$/, 'Number of the document'),
          }),
          MX: z.strictObject({}),
        },
      },
      completion: ['payment-details'],
    },
  },
});
