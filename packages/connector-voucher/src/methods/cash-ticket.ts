import { defineMethod, field, text } from '@railyard/core';
import * as z from 'zod';

/**
 * A ticket with a bar code that is paid in cash at a counter (2-methods.md, Cash voucher; the name of the field: methods-catalogue.md, 29).
 * No source gives the document a form, nor the method countries or currencies.
 */
export const cashTicket = defineMethod({
  key: 'cash-ticket',
  title: { en: 'Cash, with a ticket', pt: 'Dinheiro, com um boleto' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        document_number: field(text({ max: 255 }), {
          label: { en: 'Document number', pt: 'Número do documento' },
          help: { en: 'Of your identity card or tax card.', pt: 'Do seu documento de identidade ou fiscal.' },
          sources: ['payer'],
          example: '1020304050',
        }),
      }),
      completion: ['voucher'],
    },
  },
});
