import { defineMethod, field } from '@railyard/core';
import * as z from 'zod';
import { bareDocument, DOCUMENT, hasRightCheckDigits, typedDocumentSchema, WRONG_CHECK_DIGITS } from '../documents.ts';
import { pixLimits } from '../limits.ts';

/** Pix at a provider that wants the payer's identity id, in Brazil the CPF or CNPJ. Payers of other countries have none. */
export const pixPersonal = defineMethod({
  key: 'pix-personal',
  title: { en: 'Pix with personal id', pt: 'Pix com identificação' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        personal_id: field(typedDocumentSchema(), {
          ...DOCUMENT,
          input: 'text',
          // A session without a country is taken for one of the method's own country (protocol: personal-id methods).
          when: {
            any: [
              { path: 'billing_address.country', in: ['BR'] },
              { path: 'billing_address.country', present: false },
            ],
          },
          sources: ['payer'],
          example: '529.982.247-25',
        }),
      }),
      completion: ['redirect', 'qr'],
      rules: [
        {
          paths: ['personal_id'],
          level: 'document',
          says: 'The check digits of personal_id are right.',
          check: ({ personal_id }) =>
            hasRightCheckDigits(bareDocument(String(personal_id)))
              ? undefined
              : { path: 'personal_id', message: WRONG_CHECK_DIGITS },
        },
      ],
    },
  },
  currencies: ['BRL'],
  home: {
    countries: ['BR'],
    elsewhere: 'A payer elsewhere has no identity number of this country, and is not asked for one.',
  },
  limits: pixLimits,
});
