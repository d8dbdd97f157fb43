import { defineMethod, field } from '@railyard/core';
import * as z from 'zod';
import { brazil } from '../brazil.ts';
import { bareDocument, DOCUMENT, hasRightCheckDigits, typedDocumentSchema, WRONG_CHECK_DIGITS } from '../documents.ts';
import { pixLimits } from '../limits.ts';

/** Pix at a provider that asks for the payer's document first; the page asks when the request does not carry it. */
export const pixDocument = defineMethod({
  key: 'pix-document',
  title: { en: 'Pix with document number', pt: 'Pix com CPF ou CNPJ' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        document_number: field(typedDocumentSchema(), {
          ...DOCUMENT,
          input: 'text',
          sources: ['payer'],
          example: '529.982.247-25',
        }),
      }),
      completion: ['qr', 'redirect'],
      rules: [
        {
          paths: ['document_number'],
          level: 'document',
          says: 'The check digits of document_number are right.',
          check: ({ document_number }) =>
            hasRightCheckDigits(bareDocument(String(document_number)))
              ? undefined
              : { path: 'document_number', message: WRONG_CHECK_DIGITS },
        },
      ],
    },
  },
  currencies: ['BRL'],
  home: brazil,
  limits: pixLimits,
});
