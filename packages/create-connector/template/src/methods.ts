import { defineMethod, field, text } from '@railyard/core';
import * as z from 'zod';
import { exampleMethodLimits } from './limits.ts';

/** The values that merchants send under `parameters.example-method`. Validation, page, docs and types derive from it. */
export const exampleMethod = defineMethod({
  key: 'example-method',
  title: 'Example Method',
  operations: {
    purchase: {
      parameters: z.strictObject({
        statement_text: field(text({ max: 22 }).optional(), {
          label: 'Text on the statement',
          help: 'What the payer reads on the statement of the account.',
          sources: ['mid'],
        }),
        account_name: field(text({ max: 70 }), {
          label: { en: 'Name of the account holder', pt: 'Nome do titular da conta' },
          sources: ['payer'],
        }),
      }),
      completion: ['redirect'],
    },
  },
  currencies: ['EUR'],
  limits: exampleMethodLimits,
});
