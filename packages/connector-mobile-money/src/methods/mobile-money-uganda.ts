import { checkedString, defineMethod, field, text, TEXTS } from '@railyard/core';
import * as z from 'zod';
import { askedPhone, numberOf } from '../phones.ts';

/** Of the decoded file: what fits in a request body next to everything else. */
export const MAX_FILE_BYTES = 128 * 1024;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function decodedBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

function contentProblem(base64: string): string | undefined {
  if (!BASE64.test(base64)) return TEXTS.notValid;
  return decodedBytes(base64) > MAX_FILE_BYTES ? `The file should have ${MAX_FILE_BYTES} bytes or less.` : undefined;
}

/** A name, never a path: the provider may store the file under it. */
const fileName = text({ max: 255, pattern: /^(?!\.{1,2}$)[^/\\]+$/ });

const fileContent = checkedString(contentProblem);

/**
 * Mobile money of Uganda (protocol: Mobile money Uganda).
 *
 * @example { parameters: { 'mobile-money-ug': { mobile_number: '256712345678', ProviderReferenceText: 'Thank you' } } }
 */
export const mobileMoneyUganda = defineMethod({
  key: 'mobile-money-ug',
  title: { en: 'Mobile money Uganda', pt: 'Dinheiro móvel Uganda' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        mobile_number: askedPhone({ example: '256712345678' }),
        AccountProviderCode: field(text({ max: 255 }), {
          label: 'Provider of the account',
          help: 'Code of the institution that holds the account.',
          sources: ['mid'],
          example: 'MTN_UGANDA',
        }).optional(),
        NarrativeFileName: field(fileName, {
          label: 'Name of an attached file',
          help: 'Ignored unless NarrativeFileBase64 is given. A name without a path.',
          example: 'invoice.pdf',
        }).optional(),
        NarrativeFileBase64: field(fileContent, {
          label: 'Content of the attached file',
          help: `Base64. Ignored unless NarrativeFileName is given. At most ${MAX_FILE_BYTES} bytes when decoded.`,
          example: 'JVBERi0=',
        }).optional(),
        ProviderReferenceText: field(text({ max: 255 }), {
          label: 'Text of the confirmation',
          help: 'Added to the message that the network sends to the subscriber.',
          example: 'Thank you',
        }).optional(),
      }),
      completion: ['confirm-on-device'],
      rules: [numberOf('UG')],
    },
  },
  currencies: ['UGX'],
  countries: ['UG'],
});
