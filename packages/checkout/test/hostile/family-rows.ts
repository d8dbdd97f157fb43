/** What a field of a request is, and so which values it has to refuse. */
type Kind = 'text' | 'number' | 'date' | 'email' | 'address';

/** A payment by a method of the four families, whose fields an attacker fills. */
export interface FamilyRow {
  readonly key: string;
  readonly operation?: 'credit';
  readonly currency: string;
  readonly amount: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** More fields of the session, by block. */
  readonly session?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The fields that are attacked, by their dotted place in the session. */
  readonly fields: Readonly<Record<string, Kind>>;
  /** What the payer types where the request leaves it out, by the name of its input. */
  readonly typed?: Readonly<Record<string, string>>;
}

const at = <K extends string>(key: K, kinds: Readonly<Record<string, Kind>>): Readonly<Record<string, Kind>> =>
  Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [`parameters.${key}.${name}`, kind]));

const PAYER = { 'customer.name': 'Ana Horvat', 'customer.birth_date': '1990-04-23' };

export const familyRows: readonly FamilyRow[] = [
  {
    key: 'bank-account',
    currency: 'MYR',
    amount: '15.00',
    parameters: { bank_code: 'AGRIFRPP', bank_account_number: '1234567890' },
    fields: at('bank-account', { bank_code: 'text', bank_account_number: 'text' }),
  },
  {
    key: 'upi',
    currency: 'INR',
    amount: '15.00',
    parameters: { upi_id: 'abc@ybl' },
    fields: at('upi', { upi_id: 'text' }),
  },
  {
    key: 'upi-address',
    currency: 'INR',
    amount: '15.00',
    parameters: { upiAddress: 'abc@ybl' },
    fields: at('upi-address', { upiAddress: 'text' }),
  },
  {
    key: 'cash-wallet-deposit',
    currency: 'EUR',
    amount: '15.00',
    parameters: { payer_id: 'user-7781' },
    fields: {
      ...at('cash-wallet-deposit', { payer_id: 'text' }),
      'customer.name': 'text',
      'customer.birth_date': 'date',
    },
    typed: PAYER,
  },
  {
    key: 'link-payout',
    operation: 'credit',
    currency: 'CAD',
    amount: '15.00',
    parameters: { SecurityQuestion: 'Where did we meet first?', SecurityQuestionAnswer: 'At the sea' },
    session: { payee: { name: 'Ivo Novak' }, customer: { name: 'Ana Horvat', email: 'ana@example.com' } },
    fields: {
      ...at('link-payout', { SecurityQuestion: 'text', SecurityQuestionAnswer: 'text' }),
      'customer.name': 'text',
      'customer.email': 'email',
    },
  },
  {
    key: 'pay-later',
    currency: 'EUR',
    amount: '10.00',
    parameters: { category: 'Books', buyer_registered_since: '2020-01-31T12:00:00Z', buyer_loyalty_level: 3 },
    fields: at('pay-later', { category: 'text', buyer_registered_since: 'date', buyer_loyalty_level: 'number' }),
  },
  {
    key: 'pay-later-basket',
    currency: 'BRL',
    amount: '10.00',
    parameters: {
      product_amount: 8.5,
      shipping_amount: 1,
      tax_amount: 0.5,
      product_reference_id: 'ref-1',
      product_type: 'physical',
      product_sku: 'BK-2',
    },
    fields: at('pay-later-basket', {
      product_amount: 'number',
      shipping_amount: 'number',
      tax_amount: 'number',
      product_reference_id: 'text',
      product_type: 'text',
      product_sku: 'text',
    }),
  },
  {
    key: 'hosted-payment-id',
    currency: 'IDR',
    amount: '10.00',
    parameters: { product_name: 'Two books', product_quantity: 2, product_url: 'https://shop.example/books/2' },
    fields: at('hosted-payment-id', {
      product_reference_id: 'text',
      product_name: 'text',
      product_quantity: 'number',
      product_sku: 'text',
      product_category: 'text',
      product_url: 'address',
      product_image_url: 'address',
      product_type: 'text',
    }),
  },
];

/** Of another type than any of these fields has. */
const WRONG_TYPES: readonly unknown[] = [true, null, [], ['Books'], {}, { name: 'Books' }];
const OVERLONG = ['x'.repeat(2000), '9'.repeat(10_000), '\u{1F600}'.repeat(2000)];
/** Control characters; an end of a line, with which a log or a header is forged; half of a pair of surrogates, which has no UTF-8. */
const CONTROLS = ['\u0000', 'Books\u0000', 'Bo\u001b[2Joks', 'Books\r\nx-admin: 1', 'Bo\ud800oks'];
const NO_NUMBERS = ['', ' ', '1e3', '0x10', 'NaN', '-1', '1,5', '٣', -1, 1e30];
/** A date of birth that is empty is one that is left out. */
const NO_DATES = ['yesterday', '2020-02-30', '2020-02-30T12:00:00Z', '31/01/2020', 20_200_131];
const NO_EMAILS = ['', 'ana', 'ana@', '@example.com', 'ana@example.com\r\nbcc: all@example.com', 7];
const NO_ADDRESSES = ['', 'javascript:alert(1)', 'data:text/html,<p>', 'file:///etc/passwd', 'shop.example', '//x', 7];

const OF_KIND: Readonly<Record<Kind, readonly unknown[]>> = {
  text: ['', ' ', 7],
  number: NO_NUMBERS,
  date: NO_DATES,
  email: NO_EMAILS,
  address: NO_ADDRESSES,
};

/** Values that a field of a kind refuses, whatever its method. */
export const hostileValues = (kind: Kind): readonly unknown[] => [
  ...OF_KIND[kind],
  ...WRONG_TYPES,
  ...OVERLONG,
  ...CONTROLS,
];
