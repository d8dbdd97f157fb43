import { checkedString, defineMethod, field, text, TEXTS } from '@railyard/core';
import { parsePixKey, pixKeyLengths } from '@railyard/identifiers/pix-key';
import * as z from 'zod';
import { brazil } from '../brazil.ts';
import { bareDocumentSchema, documentType, hasRightCheckDigits, WRONG_CHECK_DIGITS } from '../documents.ts';
import { pixLimits } from '../limits.ts';
import { branchIdentifier, sourceAccountNumber } from './account.ts';

/** A plain decimal in reais or per cent; as long as an amount of a Pix code may be. */
const fineAmount = z.string().regex(/^(?:0|[1-9]\d{0,9})(?:\.\d{1,2})?$/, TEXTS.notValid);

const purchase = z.strictObject({
  fine: field(fineAmount, {
    label: 'Fine or interest',
    help: 'In the unit of type_fine. With NONE it is 0 and may be left out.',
    when: { path: 'parameters.type_fine', in: ['VALUE', 'PERCENT'] },
    sources: ['mid'],
    example: '1.00',
  }),
  type_fine: field(z.enum(['VALUE', 'PERCENT', 'NONE']).default('NONE'), {
    label: 'Unit of the fine',
    help: 'NONE unless given.',
    sources: ['mid'],
  }),
  branch_identifier: branchIdentifier().optional(),
  source_account_number: sourceAccountNumber().optional(),
  type_document: field(z.enum(['CPF', 'CNPJ']), {
    label: 'Kind of the payer’s document',
    help: 'Read from the document itself unless given.',
    sources: ['mid'],
  }).optional(),
  debtor_document: field(bareDocumentSchema(), {
    label: 'Document of the payer',
    help: 'CPF with 11 digits, or CNPJ with 14 characters, without punctuation.',
    sources: ['mid'],
    example: '52998224725',
  }).optional(),
  debtor_name: field(text({ max: 25 }), { label: 'Name of the payer', sources: ['mid'] }).optional(),
});

const credit = z.strictObject({
  key: field(
    checkedString((key) => {
      const parsed = parsePixKey(key);
      if (parsed.ok) return undefined;
      return parsed.reason === 'email-too-long' ? TEXTS.tooLong(pixKeyLengths.email) : TEXTS.notValid;
    }),
    {
      label: 'Pix key of the receiver',
      help: 'Random key up to 36 characters, CPF 11, CNPJ 14, e-mail up to 180, or phone of 13 digits with its country code.',
      example: 'fulano@example.com',
    },
  ),
  source_account_number: sourceAccountNumber(),
  branch_identifier: branchIdentifier(),
});

/**
 * Pix by QR and copy-and-paste (purchase), and payout to a Pix key (credit).
 *
 * @example { parameters: { pix: { fine: '1.00', type_fine: 'VALUE', debtor_document: '52998224725' } } }
 */
export const pix = defineMethod({
  key: 'pix',
  title: 'Pix',
  operations: {
    purchase: {
      parameters: purchase,
      completion: ['qr'],
      rules: [
        {
          paths: ['type_fine', 'fine'],
          level: 'error',
          says: 'With type_fine NONE the fine is 0.',
          check: ({ type_fine, fine }) =>
            type_fine === 'NONE' && !/^[0.]+$/.test(String(fine))
              ? { path: 'fine', message: 'This value should be 0 when type_fine is NONE.' }
              : undefined,
        },
        {
          paths: ['type_document', 'debtor_document'],
          level: 'error',
          says: 'type_document is the kind of debtor_document.',
          check: ({ type_document, debtor_document }) =>
            documentType(String(debtor_document)) === type_document
              ? undefined
              : { path: 'debtor_document', message: `This value is not a ${String(type_document)}.` },
        },
        {
          paths: ['debtor_document'],
          level: 'document',
          says: 'The check digits of debtor_document are right.',
          check: ({ debtor_document }) =>
            hasRightCheckDigits(String(debtor_document))
              ? undefined
              : { path: 'debtor_document', message: WRONG_CHECK_DIGITS },
        },
      ],
    },
    credit: {
      parameters: credit,
      completion: [],
      rules: [
        {
          paths: ['key'],
          level: 'document',
          says: 'The check digits of a CPF or CNPJ key are right.',
          check: ({ key }) => {
            const parsed = parsePixKey(String(key));
            return parsed.ok && parsed.checksum === 'invalid'
              ? { path: 'key', message: WRONG_CHECK_DIGITS }
              : undefined;
          },
        },
        {
          // The protocol allows e-mail keys of 180 characters; the key directory itself holds no longer one than this.
          paths: ['key'],
          level: 'document',
          says: `A key has at most ${pixKeyLengths.brCode} characters.`,
          check: ({ key }) =>
            String(key).length > pixKeyLengths.brCode
              ? { path: 'key', message: TEXTS.tooLong(pixKeyLengths.brCode) }
              : undefined,
        },
      ],
    },
  },
  currencies: ['BRL'],
  home: brazil,
  limits: pixLimits,
});
