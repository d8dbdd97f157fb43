import { checkedString, defineMethod, field, phone, redirectUrl, type Rule, text, TEXTS } from '@railyard/core';
import { isCbu, isCbuAlias } from '@railyard/identifiers/cbu';
import { isCuit, normaliseCuit } from '@railyard/identifiers/cuit';
import { isE164 } from '@railyard/identifiers/phone';
import { isRut, normaliseRut } from '@railyard/identifiers/rut';
import * as z from 'zod';
import { checkDigit, typedNumber, WRONG_CHECK_DIGIT } from './fields.ts';

const words = (label: string) => field(text({ max: 255 }), { label, sources: ['mid'] });

const ofEvery = {
  expiryDate: field(z.iso.datetime({ offset: true }), {
    label: 'End of the time to pay',
    help: 'ISO 8601 with a zone. By the settings of the account unless given.',
    sources: ['mid'],
    example: '2037-01-01T00:00:00Z',
  }).optional(),
  merchantType: words('Type of the merchant'),
  merchantName: words('Name of the merchant'),
  accountId: words('Collection account'),
};

/** The words of every collection (2-methods.md, Collection provider methods). Amount and currency are those of the order, reference and callbackUrl the checkout’s own. */
const collected = <M extends string, T extends string>(market: M, type: T) => ({
  ...ofEvery,
  market: field(z.enum([market]).default(market), { label: 'Market', sources: ['mid'] }),
  type: field(z.enum([type]).default(type), { label: 'Type of the collection', sources: ['mid'] }),
});

const widget = {
  redirectUrl: field(redirectUrl(), {
    label: 'Where the provider’s widget leads back to',
    help: 'The checkout’s own page unless given.',
    sources: ['mid'],
  }).optional(),
};

/** A collection that is offline may be paid on a page of the provider, which leads back. */
const onWidget = <M extends string, T extends string>(market: M, type: T) => ({
  ...collected(market, type),
  ...widget,
});
const offline = <M extends string>(market: M) => onWidget(market, 'OFFLINE');

/** Validation knows the day and not the time; a time earlier today is declined before the provider is asked. */
const notOver: Rule = {
  paths: ['expiryDate'],
  level: 'error',
  says: 'expiryDate is not before today.',
  check: ({ expiryDate }, { today = '' }) =>
    new Date(String(expiryDate)).toISOString().slice(0, 10) < today
      ? { path: 'expiryDate', message: 'This value should not be in the past.' }
      : undefined,
};

/** Transfer in Argentina to an account that was made for the order. */
export const bankOfflineAr = defineMethod({
  key: 'bank-offline-ar',
  title: { en: 'Bank transfer', pt: 'Transferência bancária' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        ...offline('AR'),
        clientTaxId: typedNumber({
          label: { en: 'DNI or CUIT', pt: 'DNI ou CUIT' },
          help: { en: 'With or without punctuation.', pt: 'Com ou sem pontuação.' },
          pattern: /^(?:\d{7,8}|\d{11})$/,
          read: normaliseCuit,
          example: '20-05536168-2',
        }),
      }),
      completion: ['payment-details', 'redirect'],
      rules: [
        notOver,
        checkDigit(
          'clientTaxId',
          'The check digit of a CUIT is right; a DNI has none.',
          (id) => id.length < 11 || isCuit(id),
        ),
      ],
    },
  },
  currencies: ['ARS'],
  countries: ['AR'],
});

/** Transfer in Chile to an account that was made for the order. */
export const bankOfflineCl = defineMethod({
  key: 'bank-offline-cl',
  title: bankOfflineAr.title,
  operations: {
    purchase: {
      parameters: z.strictObject({
        ...offline('CL'),
        clientTaxId: typedNumber({
          label: { en: 'RUN or number of the identity card', pt: 'RUN ou número do documento de identidade' },
          help: { en: 'With its last digit, or K.', pt: 'Com o último dígito, ou K.' },
          pattern: /^\d{7,8}[0-9K]$/,
          read: normaliseRut,
          example: '12.531.909-2',
        }),
      }),
      completion: ['payment-details', 'redirect'],
      rules: [notOver, checkDigit('clientTaxId', 'The check digit of clientTaxId is right.', isRut)],
    },
  },
  currencies: ['CLP'],
  countries: ['CL'],
});

const clientname = field(text({ max: 255 }), {
  label: { en: 'Full name of who pays', pt: 'Nome completo de quem paga' },
  autocomplete: 'name',
  sources: ['payer'],
  example: 'Rosa Quispe',
});

/** Transfer in Paraguay to an account that was made for the order. */
export const bankOfflinePy = defineMethod({
  key: 'bank-offline-py',
  title: bankOfflineAr.title,
  operations: {
    purchase: {
      parameters: z.strictObject({ ...offline('PY'), clientname }),
      completion: ['payment-details', 'redirect'],
      rules: [notOver],
    },
  },
  currencies: ['PYG'],
  countries: ['PY'],
});

/** Transfer in Peru to an account that was made for the order. */
export const bankOfflinePe = defineMethod({
  key: 'bank-offline-pe',
  title: bankOfflineAr.title,
  operations: {
    purchase: {
      parameters: z.strictObject({ ...offline('PE'), clientname }),
      completion: ['payment-details', 'redirect'],
      rules: [notOver],
    },
  },
  currencies: ['PEN'],
  countries: ['PE'],
});

/** Payment of a service in Peru: the payer pays the code that was made for the order, at a bank, at an agent or in an app. */
export const servicePaymentPe = defineMethod({
  key: 'service-payment-pe',
  title: { en: 'Payment code', pt: 'Código de pagamento' },
  operations: {
    purchase: {
      parameters: z.strictObject(onWidget('PE', 'OFFLINE_SERVICE_PAYMENT')),
      completion: ['voucher', 'redirect'],
      rules: [notOver],
    },
  },
  currencies: ['PEN'],
  countries: ['PE'],
});

/** An account, by its number or its alias. */
const cbu = text({ max: 22, pattern: /^\d{22}$/ });
const alias = checkedString((value) => (isCbuAlias(value) ? undefined : TEXTS.notValid));

/** The account as the payer types it: either of them. One that they mistyped would only be refused by the bank. */
export const debitedAccount = field(
  checkedString((value) => (isCbu(value) || isCbuAlias(value) ? undefined : TEXTS.notValid)),
  {
    label: { en: 'CBU, CVU or alias of your account', pt: 'CBU, CVU ou alias da sua conta' },
    example: 'mesa.rio.luna',
  },
);

/** DEBIN: the payer authorises a debit of their account in Argentina, which they name by its number or its alias. */
export const debin = defineMethod({
  key: 'debin',
  title: 'DEBIN',
  operations: {
    purchase: {
      parameters: z.strictObject({
        ...collected('AR', 'PULL'),
        bankDetails: field(
          z.strictObject({
            cbu: field(cbu, { label: 'CBU or CVU', example: '2850590940090418135201' }).optional(),
            alias: field(alias, { label: 'Alias of the account', example: 'mesa.rio.luna' }).optional(),
          }),
          {
            label: 'Account of the payer',
            help: 'Its cbu, its alias or both. The payer is asked for one unless given.',
          },
        ).optional(),
      }),
      completion: ['collect', 'confirm-on-device'],
      rules: [
        notOver,
        {
          paths: ['bankDetails'],
          level: 'error',
          says: 'bankDetails has a cbu, an alias or both.',
          check: ({ bankDetails }) =>
            Object.keys(Object(bankDetails)).length === 0
              ? { path: 'bankDetails', message: `${TEXTS.notValid} Give a cbu, an alias or both.` }
              : undefined,
        },
        {
          paths: ['bankDetails'],
          level: 'document',
          says: 'The check digits of bankDetails.cbu are right.',
          check: ({ bankDetails }) => {
            const { cbu: number } = Object(bankDetails);
            return number === undefined || isCbu(String(number))
              ? undefined
              : { path: 'bankDetails.cbu', message: WRONG_CHECK_DIGIT };
          },
        },
      ],
    },
  },
  currencies: ['ARS'],
  countries: ['AR'],
});

/** A mobile number of Peru, which has nine digits that begin with 9. The service reads any writing, and the flow gets E.164. */
export const peruvianPhone = field(
  phone().refine((number) => !isE164(number) || /^\+519\d{8}$/.test(number), TEXTS.notValid),
  {
    label: { en: 'Mobile number', pt: 'Número do celular' },
    input: 'tel',
    autocomplete: 'tel',
    sources: ['payer'],
    example: '+51987654321',
  },
);

/** The code that the payer’s app made for this payment. */
export const approvalCode = field(text({ min: 4, max: 12, pattern: /^\d+$/ }), {
  label: { en: 'Approval code from your app', pt: 'Código de aprovação do aplicativo' },
  input: 'code',
  autocomplete: 'one-time-code',
});

/** A wallet on a phone in Peru: the payer’s app makes a code, with which the money is pulled. */
export const mobilePullPe = defineMethod({
  key: 'mobile-pull-pe',
  title: { en: 'Mobile wallet', pt: 'Carteira no celular' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        ...collected('PE', 'PULL'),
        bankDetails: field(z.strictObject({ phoneNumber: peruvianPhone.optional(), otp: approvalCode.optional() }), {
          label: 'Phone of the payer, and the code of their app',
          help: 'The payer is asked for what is missing.',
        }).optional(),
      }),
      completion: ['collect', 'confirm-on-device'],
      rules: [notOver],
    },
  },
  currencies: ['PEN'],
  countries: ['PE'],
});
