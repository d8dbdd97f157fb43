import { countryCodes, defineMethod, field, text, TEXTS } from '@railyard/core';
import * as z from 'zod';
import { expectedOf, identificationTypes, readIdentification } from '../identifications.ts';
import { identificationRules } from './identification-rules.ts';

/** Longer than any identification with the spaces and dashes that people write. */
const LONGEST = 64;

/** One name of the payee's account, in the form in which it is sent on. It may be the number of a card, so it is shown nowhere. */
const identification = z
  .strictObject({
    type: z.enum(identificationTypes),
    identification: field(text({ max: LONGEST }), { label: 'Identification', secret: true }),
  })
  .transform((item, context) => {
    const read = readIdentification(item);
    if (read !== undefined) return { ...item, identification: read };
    const message = `${TEXTS.notValid} Expected ${expectedOf(item.type)}.`;
    context.issues.push({ code: 'custom', input: item, path: ['identification'], message });
    return z.NEVER;
  });

/** The protocol says no format; other places of it have alpha-2, and guessing one code from another is no business of a payment. */
const country = () =>
  z
    .string()
    .refine(
      (code) => countryCodes.has(code),
      `${TEXTS.country} Send two capital letters (ISO 3166-1 alpha-2), GB for example.`,
    );

/**
 * Payment from the payer's bank account, begun at their bank (2-methods.md, Open-banking method).
 *
 * @example { parameters: { 'open-banking': { payee_name: 'Ada Lovelace', payee_country: 'GB', payee_identifications: [
 *   { type: 'SORT_CODE', identification: '040004' }, { type: 'ACCOUNT_NUMBER', identification: '12345678' }] } } }
 */
export const openBanking = defineMethod({
  key: 'open-banking',
  title: 'Open banking',
  operations: {
    purchase: {
      parameters: z.strictObject({
        payee_name: field(text({ max: 255 }), { label: 'Name of the payee', example: 'Ada Lovelace' }),
        payee_country: field(country(), {
          label: 'Country of the payee',
          help: 'Two letters, GB for example.',
          example: 'GB',
        }),
        payee_identifications: field(z.array(identification).min(1).max(identificationTypes.length), {
          label: 'The payee’s account',
          help: 'How the account is named: each type once, see below.',
        }),
      }),
      completion: ['collect', 'redirect'],
      rules: identificationRules,
    },
  },
});
