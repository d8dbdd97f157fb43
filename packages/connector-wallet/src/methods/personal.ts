import { defineMethod, field, type PayerText, text } from '@railyard/core';
import * as z from 'zod';
import { typed } from './typed.ts';

interface Personal<K extends string, S extends z.ZodType> {
  readonly key: K;
  readonly title: PayerText;
  readonly country: string;
  readonly currency: string;
  readonly personal_id: S;
  readonly example: string;
  /** Where the request may also wait in the payer’s app. */
  readonly completion?: readonly ['redirect', 'confirm-on-device'];
}

const LABEL = { en: 'Identity number', pt: 'Número de identidade' };

/**
 * A method of one country whose payer is known by an identity id (2-methods.md, Personal-id methods). It is asked for payers of that country, and of
 * a session that names none; payers of other countries have no such id and are not refused.
 */
const personal = <K extends string, S extends z.ZodType>({ key, title, country, currency, ...more }: Personal<K, S>) =>
  defineMethod({
    key,
    title,
    operations: {
      purchase: {
        parameters: z.strictObject({
          personal_id: field(more.personal_id, {
            label: LABEL,
            when: {
              any: [
                { path: 'billing_address.country', in: [country] },
                { path: 'billing_address.country', present: false },
              ],
            },
            sources: ['payer'],
            example: more.example,
          }),
        }),
        completion: more.completion ?? ['redirect'],
      },
    },
    currencies: [currency],
    home: {
      countries: [country],
      elsewhere: 'A payer elsewhere has no identity number of this country, and is not asked for one.',
    },
  });

/** Digits, however they are grouped. */
const digits = (pattern: RegExp) =>
  typed((typedText) => {
    const bare = typedText.replaceAll(/[ .-]/g, '');
    return pattern.test(bare) ? bare : undefined;
  });

/** No rule is published for the id of the methods in India. */
const inIndia = {
  title: 'UPI',
  country: 'IN',
  currency: 'INR',
  personal_id: text({ max: 255 }),
  example: 'ABCDE1234F',
  completion: ['redirect', 'confirm-on-device'],
} as const;

/** UPI by the payer’s identity id. */
export const upiPersonal = personal({ key: 'upi-personal', ...inIndia });

/** The same at another provider. */
export const upiPersonalAlt = personal({ key: 'upi-personal-alt', ...inIndia });

const WALLET = { en: 'Wallet', pt: 'Carteira' };

/** An identity card of Viet Nam has 9 digits, or 12. */
const inVietNam = {
  title: WALLET,
  country: 'VN',
  currency: 'VND',
  personal_id: digits(/^(?:\d{9}|\d{12})$/),
  example: '001099012345',
} as const;

/** Wallets in Viet Nam by the number of the payer’s identity card. */
export const walletVnA = personal({ key: 'wallet-vn-a', ...inVietNam });
export const walletVnB = personal({ key: 'wallet-vn-b', ...inVietNam });
export const walletVnC = personal({ key: 'wallet-vn-c', ...inVietNam });

/** A wallet in Colombia by the number of the payer’s identity card (cédula), of 6 to 10 digits. */
export const walletCo = personal({
  key: 'wallet-co',
  title: WALLET,
  country: 'CO',
  currency: 'COP',
  personal_id: digits(/^\d{6,10}$/),
  example: '1020304050',
});
