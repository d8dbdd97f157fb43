import { TEXTS } from '@railyard/core';
import { THREE_D_SECURE_FIELDS } from '@railyard/core/payment';
import { cardDigits, issue, type Issue } from '@railyard/core/protocol';
import * as z from 'zod';
import { brandOf, cvvProblem, digitsOf } from '../../rules/browser/card-rules.js';
import { orderDescription, requiredText } from '../basics/signed-request.ts';
import { nested, payerFields } from './shared-fields.ts';

/** The digits of an amount; of which currency they are, and whether it may be zero, is known later. */
const amount = requiredText.regex(/^-?(0|[1-9]\d*)(\.\d+)?$/, TEXTS.notValid);

/** An address that the payer comes back to, or the name of a browsing context. */
const longText = requiredText.or(z.string()).pipe(z.string().min(1, TEXTS.blank).max(1024, TEXTS.tooLong(1024)));

export const flag = z.enum(['Y', 'N', 'true', 'false'], TEXTS.choice);

export const isSet = (value: string | undefined): boolean => value === 'Y' || value === 'true';

/** The card itself; each part is there, or a token in its place (reference: SALE). */
export const cardFields = {
  card_number: requiredText.optional(),
  card_exp_month: requiredText.regex(/^(0[1-9]|1[0-2])$/, TEXTS.notValid).optional(),
  card_exp_year: requiredText.regex(/^20\d\d$/, TEXTS.notValid).optional(),
  card_cvv2: requiredText.regex(/^\d{3,4}$/, TEXTS.notValid).optional(),
  /** As a client of the protocol calls it. */
  cvv2: requiredText.regex(/^\d{3,4}$/, TEXTS.notValid).optional(),
  card_token: requiredText.length(64, TEXTS.exactLength(64)).optional(),
};

/** The order and the merchant's own fields. */
export const orderFields = {
  client_key: requiredText,
  channel_id: requiredText.max(16, TEXTS.tooLong(16)).optional(),
  order_id: requiredText,
  order_amount: amount,
  order_currency: requiredText,
  order_description: orderDescription,
  callback_url: requiredText.optional(),
  parameters: nested.optional(),
  custom_data: nested.optional(),
  hash: requiredText,
};

/** Where the payer of a card comes back to, and in which browsing context. */
export const returnFields = { term_url_3ds: longText, term_url_target: longText.optional() };

/** The result of 3-D Secure at the merchant's own MPI, under the names that callbacks report it by (protocol: 3DS attributes). */
const authenticationFields = Object.fromEntries(THREE_D_SECURE_FIELDS.map((name) => [name, requiredText.optional()]));

/** The schedule that charges later payments; their rules are the session's (protocol: schedule_id). */
const scheduleFields = {
  schedule_id: requiredText.optional(),
  schedule_start_date: requiredText.optional(),
  payment_schedule_amount: requiredText.optional(),
};

/** SALE and DEBIT of S2S CARD. Which fields of the payer are required, the merchant's mapping says beside these. */
export const saleSchema = z.looseObject({
  ...orderFields,
  ...cardFields,
  ...returnFields,
  req_token: flag.optional(),
  recurring_init: flag.optional(),
  ...scheduleFields,
  auth: flag.optional(),
  payer_present: flag.optional(),
  ...authenticationFields,
  digital_wallet: z.enum(['googlepay', 'applepay'], TEXTS.choice).optional(),
  payment_token: z.string().min(1, TEXTS.blank).max(32_768, TEXTS.tooLong(32_768)).optional(),
  ...payerFields,
  payer_email: requiredText.optional(),
});

/** The means of a sale must be there whole: a card, a token, or a wallet with its token. */
export function lacksMeans(body: Readonly<Record<string, unknown>>): Issue[] {
  const { card_number, card_token, payment_token, cvv2 } = body;
  const required =
    card_number !== undefined || (card_token === undefined && payment_token === undefined)
      ? [
          'card_number',
          'card_exp_month',
          'card_exp_year',
          ...(cvv2 === undefined && !hasNoCode(card_number) ? ['card_cvv2'] : []),
        ]
      : card_token === undefined
        ? ['digital_wallet']
        : [];
  return required.flatMap((name) => (body[name] === undefined ? [issue(name, TEXTS.blank)] : []));
}

/** The page's rule: some cards have no code. */
export const hasNoCode = (number: unknown): boolean =>
  typeof number === 'string' && cvvProblem('', brandOf(digitsOf(number))?.name) === undefined;

export type SaleFields = z.output<typeof saleSchema>;

/** The means of a sale: card data goes before a token, and a token before a wallet's (reference: Precedence). */
export type Means =
  | {
      readonly kind: 'card';
      readonly number: string;
      readonly month: string;
      readonly year: string;
      readonly cvv: string | undefined;
    }
  | { readonly kind: 'token'; readonly token: string; readonly cvv: string | undefined }
  | { readonly kind: 'wallet'; readonly wallet: string; readonly token: string };

type MeansFields = Partial<Pick<SaleFields, keyof typeof cardFields | 'digital_wallet' | 'payment_token'>>;

export function meansOf(fields: MeansFields): Means {
  const { card_number, card_exp_month: month = '', card_exp_year: year = '', card_token, digital_wallet } = fields;
  const cvv = fields.card_cvv2 ?? fields.cvv2;
  if (card_number !== undefined) return { kind: 'card', number: digitsOf(card_number), month, year, cvv };
  if (card_token !== undefined) return { kind: 'token', token: card_token, cvv };
  return { kind: 'wallet', wallet: digital_wallet ?? '', token: fields.payment_token ?? '' };
}

/** The part of it that the hash covers: digits of the number, or the token; of a wallet nothing (reference: Signatures of S2S CARD, F1, F8). */
export function signedCard({ card_number, card_token }: Pick<MeansFields, 'card_number' | 'card_token'>): string {
  return card_number === undefined ? (card_token ?? '') : cardDigits(card_number);
}
