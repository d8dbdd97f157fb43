import { defineMethod, field, type PayerText, type Rule, text } from '@railyard/core';
import { isCuit, normaliseCuit } from '@railyard/identifiers/cuit';
import { isCurp } from '@railyard/identifiers/curp';
import { isTckn } from '@railyard/identifiers/tckn';
import * as z from 'zod';
import { checkDigit, typedNumber } from './fields.ts';

interface Bank<K extends string, P extends z.ZodRawShape> {
  readonly key: K;
  readonly title: PayerText;
  readonly country: string;
  readonly currency: string;
  readonly parameters: P;
  /** Where it is not on a page of the bank. */
  readonly completion?: 'qr';
  readonly rules?: readonly Rule[];
  /** Why payers of other countries are taken too. */
  readonly elsewhere?: string;
}

/** A method of one country whose payer pays on a page of the bank, unless it says otherwise. */
const atBank = <K extends string, P extends z.ZodRawShape>({ key, title, country, currency, ...more }: Bank<K, P>) =>
  defineMethod({
    key,
    title,
    operations: {
      purchase: {
        parameters: z.strictObject(more.parameters),
        completion: [more.completion ?? 'redirect'],
        rules: more.rules ?? [],
      },
    },
    currencies: [currency],
    ...(more.elsewhere === undefined
      ? { countries: [country] }
      : { home: { countries: [country], elsewhere: more.elsewhere } }),
  });

const TRANSFER = { en: 'Bank transfer', pt: 'Transferência bancária' };

/** Transfer in Argentina by the payer’s CUIL (2-methods.md, Argentina and Mexico bank methods). */
export const bankAr = atBank({
  key: 'bank-ar',
  title: TRANSFER,
  country: 'AR',
  currency: 'ARS',
  parameters: {
    bank_cuil: typedNumber({ label: 'CUIL', pattern: /^\d{11}$/, read: normaliseCuit, example: '20-05536168-2' }),
  },
  rules: [checkDigit('bank_cuil', 'The check digit of bank_cuil is right.', isCuit)],
});

/** Transfer in Mexico by the payer’s CURP. */
export const bankMx = atBank({
  key: 'bank-mx',
  title: TRANSFER,
  country: 'MX',
  currency: 'MXN',
  parameters: {
    bank_curp: typedNumber({
      label: 'CURP',
      pattern: /^[0-9A-Z]{18}$/,
      read: (typed) => typed.trim().toUpperCase(),
      example: 'BOXW310820HNERXN09',
    }),
  },
  rules: [checkDigit('bank_curp', 'bank_curp has the form of a CURP, and its check digit.', isCurp)],
});

/** The payer’s own account (2-methods.md, Bank-code methods). The protocol gives a length to the name alone. */
const ownAccount = {
  orgCode: field(text({ max: 255 }), {
    label: { en: 'Code of your bank', pt: 'Código do seu banco' },
    sources: ['payer'],
  }),
  accountName: field(text({ max: 64 }), {
    label: { en: 'Account holder', pt: 'Titular da conta' },
    help: { en: 'Your name as the bank has it.', pt: 'Seu nome como está no banco.' },
    sources: ['payer'],
  }),
  accountNumber: field(text({ max: 255 }), {
    label: { en: 'Number of your account', pt: 'Número da sua conta' },
    sources: ['payer'],
  }),
};
const inThailand = { country: 'TH', currency: 'THB', parameters: ownAccount };
const inTurkey = { country: 'TR', currency: 'TRY', parameters: ownAccount };

/** Transfer in Türkiye from an account that the payer names. */
export const bankCodeTr = atBank({ key: 'bank-code-tr', title: TRANSFER, ...inTurkey });

const WALLET = { en: 'Wallet', pt: 'Carteira' };

/** A wallet in Türkiye, named as an account is. */
export const walletTr = atBank({ key: 'wallet-tr', title: WALLET, ...inTurkey });

/** A wallet in Thailand, named as an account is. */
export const walletTh = atBank({
  key: 'wallet-th',
  title: WALLET,
  ...inThailand,
});

/** A code that the app of a bank in Thailand reads, for an account that the payer names. */
export const qrTh = atBank({
  key: 'qr-th',
  title: { en: 'QR code of your bank', pt: 'Código QR do seu banco' },
  ...inThailand,
  completion: 'qr',
});

/** Transfer in Türkiye by the number of the payer’s identity card, which payers of other countries do not have (2-methods.md, Personal-id methods). */
export const ibanTr = atBank({
  key: 'iban-tr',
  title: TRANSFER,
  country: 'TR',
  currency: 'TRY',
  parameters: {
    personal_id: typedNumber({
      label: { en: 'Identity number', pt: 'Número de identidade' },
      help: { en: 'The 11 digits of your T.C. identity number.', pt: 'Os 11 dígitos do seu número T.C.' },
      pattern: /^\d{11}$/,
      input: 'digits',
      when: {
        any: [
          { path: 'billing_address.country', in: ['TR'] },
          { path: 'billing_address.country', present: false },
        ],
      },
      example: '10000000146',
    }),
  },
  rules: [checkDigit('personal_id', 'The check digits of personal_id are right.', isTckn)],
  elsewhere: 'A payer elsewhere has no identity number of this country, and is not asked for one.',
});

/** A payment from an account that the request names by the SWIFT code of its bank (2-methods.md, Bank-account wallet). No source gives it countries or currencies. */
export const bankAccount = defineMethod({
  key: 'bank-account',
  title: { en: 'Bank account', pt: 'Conta bancária' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        bank_code: field(text({ max: 11, pattern: /^[A-Z]{6}[0-9A-Z]{2}(?:[0-9A-Z]{3})?$/ }), {
          label: 'SWIFT code of the bank',
          help: '8 or 11 capital letters and digits (ISO 9362).',
          example: 'DEUTDEFF',
        }),
        bank_account_number: field(text({ max: 255 }), { label: 'Number of the account', example: '1234567890' }),
      }),
      completion: ['confirm-on-device'],
    },
  },
});
