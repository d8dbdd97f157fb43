import { defineMethod, field, type PayerText, type Rule, text, TEXTS } from '@railyard/core';
import { isCurp } from '@railyard/identifiers/curp';
import { isColombianNit } from '@railyard/identifiers/nit';
import { isPeruvianRuc } from '@railyard/identifiers/ruc';
import { isRut, normaliseRut } from '@railyard/identifiers/rut';
import * as z from 'zod';
import { typedNumber, WRONG_CHECK_DIGIT } from './fields.ts';

interface Form {
  readonly name?: PayerText;
  readonly pattern: RegExp;
  /** Absent: the document has no check digit that numbers in use keep to. */
  readonly isRight?: (number: string) => boolean;
}

/** Documents and their forms (reference/methods-facts.md, 6; of Colombia and Peru those of 2-methods.md, Disbursement methods by country). */
const DOCUMENTS: Readonly<Record<string, Form>> = {
  CC: { name: { en: 'Citizenship card (CC)', pt: 'Cédula de cidadania (CC)' }, pattern: /^\d{6,10}$/ },
  CE: { name: { en: 'Foreigner’s card (CE)', pt: 'Cédula de estrangeiro (CE)' }, pattern: /^[0-9A-Z]{6,12}$/ },
  NIT: {
    name: { en: 'Tax number (NIT)', pt: 'Número fiscal (NIT)' },
    pattern: /^\d{9,17}$/,
    // One of nine digits may be without its check digit; today's numbers have ten.
    isRight: (number) => number.length !== 10 || isColombianNit(number),
  },
  DNI: { pattern: /^\d{8}[0-9A-Z]?$/ },
  PAS: { name: { en: 'Passport', pt: 'Passaporte' }, pattern: /^[0-9A-Z]{1,20}$/ },
  RUC: { pattern: /^\d{11}$/, isRight: isPeruvianRuc },
  CURP: { pattern: /^[0-9A-Z]{18}$/, isRight: isCurp },
  RFC: { pattern: /^[A-ZÑ&]{3,4}\d{6}[0-9A-Z]{3}$/ },
};

/** The bank by the provider’s own code. Which banks there are the provider alone knows: the payer chooses from its list. */
const bank = field(text({ max: 255 }), {
  label: 'Bank',
  help: 'The provider’s code of it. The payer chooses from the provider’s list unless given.',
  example: 'B-01',
}).optional();

const documentType = <const T extends readonly string[]>(types: T) =>
  field(z.enum(types), {
    label: { en: 'Type of document', pt: 'Tipo de documento' },
    names: Object.fromEntries(types.map((type) => [type, DOCUMENTS[type]?.name ?? type])),
    sources: ['payer'],
  });

const documentNumber = (label: PayerText, example: string) =>
  typedNumber({ label, pattern: /^[0-9A-ZÑ&]{1,20}$/, read: normaliseRut, example });
const NUMBER = { en: 'Number of the document', pt: 'Número do documento' };

/** Each document that has a type is checked as that; the one of Chile by the pattern of its own field. */
const formOfType: Rule = {
  paths: ['document_type', 'document_number'],
  level: 'error',
  says: 'document_number has the form of its document_type.',
  check: ({ document_type, document_number }) =>
    DOCUMENTS[String(document_type)]?.pattern.test(String(document_number)) === true
      ? undefined
      : { path: 'document_number', message: TEXTS.notValid },
};

const checkDigitOfType: Rule = {
  paths: ['document_type', 'document_number'],
  level: 'document',
  says: 'The check digit of a NIT, of a RUC and of a CURP is right.',
  check: ({ document_type, document_number }) => {
    const { isRight = () => true } = DOCUMENTS[String(document_type)] ?? {};
    return isRight(String(document_number)) ? undefined : { path: 'document_number', message: WRONG_CHECK_DIGIT };
  },
};

/** A RUT is of no type that the payer chooses: Chile has it alone, as it has its currency. */
const checkDigitInChile: Rule = {
  paths: ['document_number'],
  level: 'document',
  says: 'In CLP, the check digit of a RUT is right.',
  check: ({ document_number: number }, { currency }) =>
    currency !== 'CLP' || isRut(String(number)) ? undefined : { path: 'document_number', message: WRONG_CHECK_DIGIT },
};

/** Bank transfer whose fields depend on the billing country: on a page of the bank, or to an account that is shown (methods-catalogue.md, 30). */
export const bankRedirect = defineMethod({
  key: 'bank-redirect',
  title: { en: 'Bank transfer', pt: 'Transferência bancária' },
  operations: {
    purchase: {
      needs: {
        'billing_address.country': field(z.enum(['CL', 'CO', 'MX', 'PE']), {
          label: { en: 'Country', pt: 'País' },
          names: {
            CL: 'Chile',
            CO: { en: 'Colombia', pt: 'Colômbia' },
            MX: { en: 'Mexico', pt: 'México' },
            PE: 'Peru',
          },
          sources: ['payer'],
        }),
      },
      variants: {
        by: 'billing_address.country',
        cases: {
          CL: z.strictObject({
            bank,
            document_number: typedNumber({
              label: 'RUT',
              help: { en: 'With its last digit, or K.', pt: 'Com o último dígito, ou K.' },
              pattern: /^\d{7,8}[0-9K]$/,
              read: normaliseRut,
              example: '12.531.909-2',
            }),
          }),
          CO: z.strictObject({
            bank,
            person_type: field(z.enum(['individual', 'company']), {
              label: { en: 'Who pays', pt: 'Quem paga' },
              names: {
                individual: { en: 'A person', pt: 'Uma pessoa' },
                company: { en: 'A company', pt: 'Uma empresa' },
              },
              sources: ['payer'],
            }),
            document_type: documentType(['CC', 'CE', 'NIT']),
            document_number: documentNumber(NUMBER, '1020304050'),
          }),
          MX: z.strictObject({
            document_type: documentType(['CURP', 'RFC']),
            document_number: documentNumber(NUMBER, 'BOXW310820HNERXN09'),
          }),
          PE: z.strictObject({
            bank,
            document_type: documentType(['DNI', 'CE', 'PAS', 'RUC']),
            document_number: documentNumber(NUMBER, '10117410'),
          }),
        },
      },
      completion: ['collect', 'redirect', 'payment-details'],
      rules: [formOfType, checkDigitOfType, checkDigitInChile],
    },
  },
  currencies: ['CLP', 'COP', 'MXN', 'PEN'],
  countries: ['CL', 'CO', 'MX', 'PE'],
});
