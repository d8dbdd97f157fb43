import { describe, expect, it, test } from 'vitest';
import { accountOf, answer, BASKET, BUYER, sessionOf } from './support/sessions.ts';

const x = (length: number) => 'x'.repeat(length);
const urlOf = (length: number) => `https://shop.example/${x(length - 'https://shop.example/'.length)}`;
const BLANK = 'This value should not be blank.';
const NOT_VALID = 'This value is not valid.';
const URL = 'This value is not a valid URL.';
const long = (limit: number) => `This value is too long. It should have ${limit} characters or less.`;
const type = (name: string) => `This value should be of type ${name}.`;

type Row = readonly [name: string, value: unknown, fault?: string];

/** Both edges of every limit: of the protocol where it states one (64, 255, four digits), else of the README. */
const HOSTED: readonly Row[] = [
  ['product_reference_id', 'x'],
  ['product_reference_id', x(64)],
  ['product_reference_id', x(65), long(64)],
  ['product_reference_id', '', BLANK],
  ['product_reference_id', ' ', BLANK],
  ['product_reference_id', 7, type('string')],
  ['product_name', x(255)],
  ['product_name', x(256), long(255)],
  ['product_name', 'é'.repeat(255)],
  ['product_name', '📚'.repeat(255)],
  ['product_name', '📚'.repeat(256), long(255)],
  ['product_name', 'Two\nbooks', 'This value contains characters that are not allowed.'],
  ['product_name', '', BLANK],
  ['product_quantity', 1],
  ['product_quantity', 9999],
  ['product_quantity', '9999'],
  ['product_quantity', 10_000, 'This value should be between 1 and 9999.'],
  ['product_quantity', '10000', 'This value should be between 1 and 9999.'],
  ['product_quantity', 0, 'This value should be between 1 and 9999.'],
  ['product_quantity', -1, 'This value should be between 1 and 9999.'],
  ['product_quantity', 1.5, type('integer')],
  ['product_quantity', 'two', type('integer')],
  ['product_quantity', '', type('integer')],
  ['product_sku', x(255)],
  ['product_sku', x(256), long(255)],
  ['product_category', x(255)],
  ['product_category', x(256), long(255)],
  ['product_type', x(255)],
  ['product_type', x(256), long(255)],
  ...['product_url', 'product_image_url'].flatMap((name): Row[] => [
    [name, 'https://shop.example'],
    [name, 'http://shop.example/books?id=2'],
    [name, urlOf(1024)],
    [name, urlOf(1025), long(1024)],
    [name, 'shop.example/books', URL],
    [name, 'ftp://shop.example/books', URL],
    [name, 'https://localhost/books', URL],
    [name, '', BLANK],
  ]),
];

/** The category and the count have no limit in the protocol. */
const A: readonly Row[] = [
  ['category', 'x'],
  ['category', x(1024)],
  ['category', x(1025), long(1024)],
  ['category', '', BLANK],
  ['category', undefined, BLANK],
  ['buyer_registered_since', '2020-01-31T12:00:00Z'],
  ['buyer_registered_since', '2020-01-31T12:00:00.123Z'],
  ['buyer_registered_since', '2020-01-31T12:00:00+00:00'],
  ['buyer_registered_since', '2024-02-29T23:59:59Z'],
  ['buyer_registered_since', undefined, BLANK],
  ...['2020-01-31', '2020-01-31 12:00:00', '2020-01-31T12:00:00', '2023-02-29T00:00:00Z', '2020-01-31T24:00:00Z'].map(
    (wrong): Row => ['buyer_registered_since', wrong, 'This value is not a valid datetime.'],
  ),
  ...['2020-01-31T12:00:00+07:00', '2020-01-31T12:00:00-00:00'].map((elsewhere): Row => [
    'buyer_registered_since',
    elsewhere,
    'This value is not a valid datetime. Send it in UTC: 2020-01-31T12:00:00Z.',
  ]),
  ['buyer_loyalty_level', 0],
  ['buyer_loyalty_level', '0'],
  ['buyer_loyalty_level', 999_999_999],
  ['buyer_loyalty_level', undefined],
  ['buyer_loyalty_level', 1_000_000_000, 'This value should be between 0 and 999999999.'],
  ['buyer_loyalty_level', -1, 'This value should be between 0 and 999999999.'],
  ['buyer_loyalty_level', 0.5, type('integer')],
  ['buyer_loyalty_level', '-1', type('integer')],
];

const B: readonly Row[] = [
  ...['product_amount', 'shipping_amount', 'tax_amount'].flatMap((name): Row[] => [
    [name, undefined, BLANK],
    [name, '-1', NOT_VALID],
    [name, -1, NOT_VALID],
    [name, '1,00', NOT_VALID],
    [name, '01', NOT_VALID],
    [name, '1e3', NOT_VALID],
    [name, 1e-7, NOT_VALID],
    [name, 1e21, 'This number has more digits than can be kept. Send it as a string.'],
    [name, '12345678901234567890', NOT_VALID],
    [name, '1.001', `${NOT_VALID} It has more decimals than IDR.`],
    [name, 1.001, `${NOT_VALID} It has more decimals than IDR.`],
    [name, true, type('number')],
  ]),
  ...['product_reference_id', 'product_type', 'product_sku'].flatMap((name): Row[] => [
    [name, 'x'],
    [name, x(255)],
    [name, x(256), long(255)],
    [name, '', BLANK],
    [name, undefined, BLANK],
  ]),
];

const answersTo = (key: string, valid: object, [name, value]: Row) =>
  answer(sessionOf(key, { ...valid, [name]: value }));
const expected = (key: string, [name, , fault]: Row) =>
  fault === undefined ? [] : [`parameters.${key}.${name}: ${fault}`];

describe.each([
  ['hosted-payment-id', {}, HOSTED],
  ['pay-later', BUYER, A],
  ['pay-later-basket', BASKET, B],
] as const)('%s', (key, valid, rows) => {
  it('takes the parameters of its example', () => {
    expect(answer(sessionOf(key, valid))).toEqual([]);
  });

  it.each(rows.map((row) => [row] as const))('%j', (row) => {
    expect(answersTo(key, valid, row)).toEqual(expected(key, row));
  });

  it('refuses a parameter that it does not have', () => {
    expect(answer(sessionOf(key, { ...valid, colour: 'red' }))).toEqual([
      `parameters.${key}.colour: This field was not expected.`,
    ]);
  });

  it.each(['debit', 'credit', 'transfer'])('refuses a %s', (operation) => {
    expect(answer(sessionOf(key, valid, { operation }))).toContainEqual(expect.stringMatching(/^(methods|operation)/));
  });
});

/** What each sub-provider needs, as the older public release says it. */
const NEEDED = {
  S1: 'product_reference_id product_name product_quantity product_sku product_category product_url',
  S2: 'product_reference_id product_quantity product_sku product_category',
  S3: 'product_reference_id product_name product_quantity product_sku product_category product_url product_image_url product_type',
  S4: 'product_name product_quantity',
};
const PRODUCT = {
  product_reference_id: 'ref-1',
  product_name: 'Two books',
  product_quantity: 2,
  product_sku: 'BK-2',
  product_category: 'Books',
  product_url: 'https://shop.example/books/2',
  product_image_url: 'https://shop.example/books/2.png',
  product_type: 'physical',
};
const NAMES = Object.keys(PRODUCT);

describe.each(Object.entries(NEEDED))('hosted-payment-id at sub-provider %s', (sub, listed) => {
  const needed = listed.split(' ');
  const account = accountOf(sub);
  const given = (...names: readonly string[]) =>
    answer(
      sessionOf(
        'hosted-payment-id',
        Object.fromEntries(Object.entries(PRODUCT).filter(([name]) => names.includes(name))),
      ),
      account,
    );

  it('takes the fields that it needs, and every other field', () => {
    expect(given(...needed)).toEqual([]);
    expect(given(...NAMES)).toEqual([]);
  });

  it.each(NAMES.map((name) => [name, needed.includes(name)] as const))('without %s: needed is %s', (name, isNeeded) => {
    const path = `parameters.hosted-payment-id.${name}`;
    expect(given(...NAMES.filter((each) => each !== name))).toEqual(
      isNeeded ? [expect.stringMatching(new RegExp(`^${path}: ${BLANK} It is required when .*${sub}`))] : [],
    );
  });

  it.each(NAMES)('refuses a wrong %s, needed or not', (name) => {
    expect(answer(sessionOf('hosted-payment-id', { ...PRODUCT, [name]: '' }), account)).toEqual([
      expect.stringContaining(`parameters.hosted-payment-id.${name}: `),
    ]);
  });
});

describe('hosted-payment-id', () => {
  it('leaves the sub-provider to the account', () => {
    expect(answer(sessionOf('hosted-payment-id', { sub_provider: 'S4' }))).toContain(
      'parameters.hosted-payment-id.sub_provider: This field was not expected.',
    );
  });

  const inCurrency = (currency: string) => ({
    order: { number: 'order-1', amount: '10.00', currency, description: 'Two books' },
  });

  it('takes rupiah and payers of Indonesia alone', () => {
    expect(answer(sessionOf('hosted-payment-id', {}, inCurrency('MYR')))).toEqual([
      expect.stringContaining('order.currency'),
    ]);
    expect(answer(sessionOf('hosted-payment-id', {}, { billing_address: { country: 'MY' } }))).toEqual([
      expect.stringContaining('billing_address.country'),
    ]);
    expect(answer(sessionOf('hosted-payment-id', {}, { billing_address: undefined }))).toEqual([]);
  });

  it.each(['pay-later', 'pay-later-basket'])('unlike it, %s takes every currency and country', (key) => {
    const valid = key === 'pay-later' ? BUYER : BASKET;
    const elsewhere = { ...inCurrency('EUR'), billing_address: { country: 'PT' } };
    expect(answer(sessionOf(key, valid, elsewhere))).toEqual([]);
  });
});

describe('pay-later-basket', () => {
  const basket = (product_amount: unknown, shipping_amount: unknown, tax_amount: unknown, order: object = {}) =>
    answer(
      sessionOf(
        'pay-later-basket',
        { ...BASKET, product_amount, shipping_amount, tax_amount },
        { order: { number: 'order-1', amount: '1000.19', currency: 'IDR', description: 'Two books', ...order } },
      ),
    );
  const warned = (sum: string, amount: string) => [
    `warning parameters.pay-later-basket.product_amount: The three amounts add up to ${sum}, order.amount is ${amount}.`,
  ];

  test.each([
    ['998.17', '1.01', '1.01', []],
    [998.17, 1.01, 1.01, []],
    [
      '998.170',
      '1.01',
      '1.01',
      ['parameters.pay-later-basket.product_amount: This value is not valid. It has more decimals than IDR.'],
    ],
    ['1000.19', '0', 0, []],
    ['998.18', '1.01', '1.01', warned('1000.20', '1000.19')],
    ['998.16', '1.01', '1.01', warned('1000.18', '1000.19')],
    [0.1, 0.2, 0, warned('0.30', '1000.19')],
  ])('%s + %s + %s of 1000.19', (product, shipping, tax, answers) => {
    expect(basket(product, shipping, tax)).toEqual(answers);
  });

  it('counts in the decimals of the currency', () => {
    expect(basket('8', '1', '1.00', { amount: '10', currency: 'JPY' })).toEqual([]);
    expect(basket('8.5', '1', '1', { amount: '10', currency: 'JPY' })).toEqual([
      expect.stringContaining('product_amount: This value is not valid. It has more decimals than JPY.'),
    ]);
    expect(basket('8.005', '1.995', '0', { amount: '10', currency: 'KWD' })).toEqual([]);
  });
});

test('a moment of registration that is still to come is a warning', () => {
  const since = (buyer_registered_since: string) =>
    answer(sessionOf('pay-later', { ...BUYER, buyer_registered_since }));
  expect(since('2026-11-21T23:59:59Z')).toEqual([]);
  expect(since('2026-11-22T00:00:00Z')).toEqual([
    'warning parameters.pay-later.buyer_registered_since: This moment is still to come.',
  ]);
});
