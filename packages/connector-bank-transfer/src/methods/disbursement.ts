import { checkedString, countryCode, defineMethod, email, field, type Rule, text, TEXTS } from '@railyard/core';
import { isCci } from '@railyard/identifiers/cci';
import { isClabe } from '@railyard/identifiers/clabe';
import { isPeruvianDni } from '@railyard/identifiers/dni';
import { isIfsc } from '@railyard/identifiers/ifsc';
import { parsePixKey } from '@railyard/identifiers/pix-key';
import { isPeruvianRuc } from '@railyard/identifiers/ruc';
import * as z from 'zod';
import { checkDigit } from './fields.ts';

/** The country of each currency that is paid out (methods-catalogue.md, 25). */
export const COUNTRY_OF = { INR: 'IN', IDR: 'ID', THB: 'TH', MXN: 'MX', BRL: 'BR', COP: 'CO', PEN: 'PE' } as const;

/** The length of the protocol, and the longest that an account may allow: a public page of such a provider lists codes of banks with 7 to 12 characters (methods-catalogue.md, A26). */
const METHOD_LENGTH = { protocol: 6, longest: 12 } as const;

/** A text that the protocol gives no length. */
const words = (label: string, example: string) => field(text({ max: 255 }), { label, example });

const CODE = 'Code of the bank or of the way to pay out';
const cashAccount = field(text({ max: 32 }), { label: 'Account of the receiver', example: '1234567890' });
const coded = {
  paymentMethod: field(text({ max: METHOD_LENGTH.longest }), {
    label: CODE,
    help: '6 characters, unless the account allows more.',
    example: 'BBVA',
  }),
  method_length: field(z.int().min(METHOD_LENGTH.protocol).max(METHOD_LENGTH.longest).default(METHOD_LENGTH.protocol), {
    label: 'Longest paymentMethod of the account',
    help: '6 to 12; 6 unless given.',
    sources: ['mid'],
    request: false,
  }),
  cashAccount,
};

const cashAccountType = field(z.enum(['CORRIENTE', 'AHORROS']), { label: 'Kind of the account' });
const identity = words('Number of the receiver’s document', '10117410');

/** A Pix key of the kind that paymentMethod names. A random key is longer than the 32 characters of the protocol (methods-catalogue.md, A26). */
const pixKey = field(
  checkedString((key) => {
    const parsed = parsePixKey(key);
    if (!parsed.ok) return TEXTS.notValid;
    return parsed.type !== 'evp' && key.length > 32 ? TEXTS.tooLong(32) : undefined;
  }),
  { label: 'Pix key of the receiver', help: '32 characters; a random key has 36.', example: 'fulano@example.com' },
);

/** A bare CPF or CNPJ has the form of a Pix key. */
const taxNumberOf = (number: string) => {
  const parsed = parsePixKey(number);
  return parsed.ok && ['cpf', 'cnpj'].includes(parsed.type) && parsed.key === number ? parsed : undefined;
};

/** The shape of each country (2-methods.md, Disbursement methods by country), under the currency that chooses it. */
const cases = {
  INR: z.strictObject({
    ...coded,
    ifscCode: field(
      checkedString((code) => (isIfsc(code) ? undefined : TEXTS.notValid)),
      {
        label: 'IFSC of the branch',
        help: '11 characters: four letters, 0 and six letters or digits.',
        example: 'HDFC0000001',
      },
    ),
  }),
  IDR: z.strictObject({
    ...coded,
    name: words('Name of the receiver', 'Siti Rahma').optional(),
    accountNo: words('Further number of the account', '1234567890').optional(),
  }),
  // The one country whose paymentMethod has no length.
  THB: z.strictObject({ paymentMethod: words(CODE, 'KBANK'), cashAccount }),
  MXN: z.strictObject(coded),
  BRL: z.strictObject({
    paymentMethod: field(z.enum(['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP']), { label: 'Kind of the Pix key' }),
    cashAccount: pixKey,
    taxNumber: field(
      checkedString((number) => (taxNumberOf(number) === undefined ? TEXTS.notValid : undefined)),
      {
        label: 'CPF or CNPJ of the receiver',
        help: 'Without punctuation.',
        example: '52998224725',
      },
    ),
  }),
  COP: z.strictObject({
    ...coded,
    cashAccountType,
    idType: field(z.enum(['CC', 'CE']), { label: 'Kind of the receiver’s document' }),
    identity,
  }),
  PEN: z.strictObject({
    ...coded,
    cashAccountType,
    cci: field(text({ max: 20, pattern: /^\d{20}$/ }), {
      label: 'CCI of the account',
      example: '01136600010003254221',
    }),
    name: words('Name of the receiver', 'Rosa Quispe'),
    email: field(email(), { label: 'E-mail of the receiver' }),
    phone: words('Phone of the receiver', '+51987654321'),
    idType: field(z.enum(['DNI', 'CE', 'PAS', 'RUC']), { label: 'Kind of the receiver’s document' }),
    identity,
  }),
};

const lengthOfMethod: Rule = {
  paths: ['paymentMethod', 'method_length'],
  level: 'error',
  says: 'paymentMethod is no longer than the account allows.',
  check: ({ paymentMethod, method_length: longest }) =>
    typeof longest === 'number' && [...String(paymentMethod)].length > longest
      ? { path: 'paymentMethod', message: TEXTS.tooLong(longest) }
      : undefined,
};

const kindOfKey: Rule = {
  paths: ['paymentMethod', 'cashAccount'],
  level: 'error',
  says: 'In BRL, paymentMethod is the kind of the Pix key.',
  check: ({ paymentMethod, cashAccount: key }, { currency }) => {
    if (currency !== 'BRL') return undefined;
    const parsed = parsePixKey(String(key));
    return parsed.ok && parsed.type.toUpperCase() === paymentMethod
      ? undefined
      : { path: 'cashAccount', message: `This value is not a key of the kind ${String(paymentMethod)}.` };
  },
};

/** The formats of RENIEC and SUNAT. The other documents have none that every one follows. */
const peruvianDocument: Rule = {
  paths: ['idType', 'identity'],
  level: 'document',
  says: 'A DNI has 8 digits, or 9 of which the last is right; the check digit of a RUC is right.',
  check: ({ idType, identity: number }) => {
    const isRight = idType === 'DNI' ? isPeruvianDni : idType === 'RUC' ? isPeruvianRuc : () => true;
    return isRight(String(number)) ? undefined : { path: 'identity', message: TEXTS.notValid };
  },
};

const clabe: Rule = {
  paths: ['cashAccount'],
  level: 'document',
  says: 'In MXN, the check digit of a cashAccount with 18 digits is that of a CLABE.',
  check: ({ cashAccount: account }, { currency }) =>
    currency === 'MXN' && /^\d{18}$/.test(String(account)) && !isClabe(String(account))
      ? { path: 'cashAccount', message: TEXTS.notValid }
      : undefined,
};

const currencies = ['INR', 'IDR', 'THB', 'MXN', 'BRL', 'COP', 'PEN'] as const;

/**
 * Payout to an account in one of seven countries (2-methods.md, Disbursement methods by country). Each has one currency, which chooses the
 * fields: a payout may leave the payee’s country out, and may not name another one.
 *
 * @example { parameters: { disbursement: { paymentMethod: 'HDFC', cashAccount: '1234567890', ifscCode: 'HDFC0000001' } } }
 */
export const disbursement = defineMethod({
  key: 'disbursement',
  title: { en: 'Payout to a bank account', pt: 'Pagamento em conta bancária' },
  operations: {
    credit: {
      needs: {
        'order.currency': field(z.enum(currencies), { label: 'Currency' }),
        'payee_billing_address.country': field(countryCode().optional(), { label: 'Country of the payee' }),
      },
      variants: { by: 'order.currency', cases },
      completion: [],
      rules: [
        lengthOfMethod,
        kindOfKey,
        peruvianDocument,
        clabe,
        checkDigit(
          'taxNumber',
          'The check digits of taxNumber are right.',
          (number) => taxNumberOf(number)?.checksum === 'valid',
        ),
        checkDigit('cci', 'The check digits of cci are right.', isCci),
      ],
    },
  },
  currencies,
  countries: ['IN', 'ID', 'TH', 'MX', 'BR', 'CO', 'PE'],
});
