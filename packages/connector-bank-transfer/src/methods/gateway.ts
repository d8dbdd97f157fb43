import { defineMethod, field, type PayerText, type Rule, text } from '@railyard/core';
import { isCuit, normaliseCuit } from '@railyard/identifiers/cuit';
import { isCurp } from '@railyard/identifiers/curp';
import * as z from 'zod';
import { checkDigit } from './collections.ts';
import { onlyIn, typedNumber } from './fields.ts';

interface Bank<K extends string, P extends z.ZodRawShape> {
  readonly key: K;
  readonly title: PayerText;
  readonly country: string;
  readonly currency: string;
  readonly parameters: P;
  readonly rules?: readonly Rule[];
}

/** A method of one country whose payer pays on a page of the bank. */
const atBank = <K extends string, P extends z.ZodRawShape>({ key, title, country, currency, ...more }: Bank<K, P>) =>
  defineMethod({
    key,
    title,
    operations: {
      purchase: {
        needs: onlyIn(country),
        parameters: z.strictObject(more.parameters),
        completion: ['redirect'],
        rules: more.rules ?? [],
      },
    },
    currencies: [currency],
    countries: [country],
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
  country: 'TH',
  currency: 'THB',
  parameters: ownAccount,
});
