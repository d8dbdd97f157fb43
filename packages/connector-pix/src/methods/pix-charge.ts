import { defineMethod, field, limitsTable, text } from '@railyard/core';
import * as z from 'zod';
import { brazil } from '../brazil.ts';
import { bareDocumentSchema, hasRightCheckDigits, WRONG_CHECK_DIGITS } from '../documents.ts';

/** Pix by an immediate charge (`cob`) of the Banco Central's API Pix. The account names the key that is paid. */
export const pixCharge = defineMethod({
  key: 'pix-charge',
  title: { en: 'Pix', pt: 'Pix' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        devedor_documento: field(bareDocumentSchema(), {
          label: 'Document of the payer',
          help: 'CPF with 11 digits, or CNPJ with 14 characters, without punctuation; sent as devedor.cpf or devedor.cnpj.',
          sources: ['mid'],
          example: '52998224725',
        }).optional(),
        devedor_nome: field(text({ max: 200 }), {
          label: 'Name of the payer',
          help: 'Sent as devedor.nome; the API takes no document without a name.',
          when: { path: 'parameters.devedor_documento', present: true },
          sources: ['mid'],
          example: 'Maria Silva',
        }),
        solicitacaoPagador: field(text({ max: 140 }), {
          label: 'Question to the payer',
          help: 'The payer’s bank shows it, and the payer may answer in free text.',
          sources: ['mid'],
        }).optional(),
      }),
      completion: ['qr'],
      rules: [
        {
          paths: ['devedor_documento'],
          level: 'document',
          says: 'The check digits of devedor_documento are right.',
          check: ({ devedor_documento }) =>
            hasRightCheckDigits(String(devedor_documento))
              ? undefined
              : { path: 'devedor_documento', message: WRONG_CHECK_DIGITS },
        },
      ],
    },
  },
  currencies: ['BRL'],
  home: brazil,
  limits: limitsTable('API Pix 2.9.0, CobValor.original: at most ten digits before the point, two behind it', [
    { currency: 'BRL', min: '0.01', max: '9999999999.99' },
  ]),
});
