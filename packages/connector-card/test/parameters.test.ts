import { resolveMethod, takesCard } from '@railyard/core/registry';
import { describe, expect, it } from 'vitest';
import { answer, profileOf, registry, sessionOf, today } from './support/sessions.ts';

const BLANK = 'This value should not be blank.';
const WRONG = 'This value is not valid.';
const CHOICE = 'The value you selected is not a valid choice.';
const URL_TEXT = 'This value is not a valid URL.';
const COUNTRY = 'This value is not a valid country.';
const UNEXPECTED = 'This field was not expected.';
const TWO_DIGITS = 'This value should have exactly 2 digits.';
const long = (limit: number) => `This value is too long. It should have ${limit} characters or less.`;

/** A value and the text of its refusal; accepted without one. */
type Case = readonly [value: unknown, refused?: string];
type Row = readonly [path: string, ...cases: readonly Case[]];

/** The type codes of the protocol's tables: the longest value that is taken, and one past it. */
const an = (max: number): readonly Case[] => [
  ['x'.repeat(max)],
  ['é|; '.repeat(max).trim().slice(0, max)],
  ['x'.repeat(max + 1), long(max)],
  ['', BLANK],
];
const n = (max: number): readonly Case[] => [
  ['9'.repeat(max)],
  ['0'],
  [7],
  ['9'.repeat(max + 1), long(max)],
  ['-1', WRONG],
  ['1.5', WRONG],
  ['', BLANK],
];
const n10n2: readonly Case[] = [
  ['9999999999.99'],
  ['1'],
  ['0.1'],
  ['10000000000', WRONG],
  ['1.000', WRONG],
  ['-1', WRONG],
  ['1e3', WRONG],
];
const a3: readonly Case[] = [['BRL'], ['USDT', WRONG], ['US', WRONG], ['B1L', WRONG]];
const oneOf = (...values: readonly string[]): readonly Case[] => [
  ...values.map((value): Case => [value]),
  ['other', CHOICE],
];
const url: readonly Case[] = [
  ['https://shop.example/p?q=1'],
  ['http://shop.example/i.png'],
  ['data:image/svg+xml,<svg>', URL_TEXT],
  ['http://169.254.169.254/x.png', URL_TEXT],
  ['shop.example/p', URL_TEXT],
];
/** Strings to which the protocol gives no length. */
const anyString: readonly Case[] = an(255);

/** Set 1: installments. */
const INSTALLMENTS: readonly Row[] = [
  [
    'bnrg_installm_def',
    ['00'],
    ['01'],
    ['99'],
    ['1', TWO_DIGITS],
    ['001', TWO_DIGITS],
    ['aa', TWO_DIGITS],
    [null, BLANK],
    [undefined, BLANK],
  ],
  ['bnrg_installm_months', ['01'], ['99'], ['00', WRONG], ['100', TWO_DIGITS], ['1', TWO_DIGITS], [undefined, BLANK]],
  ['bnrg_installm_plan', ['03'], ['05'], ['07'], ['04', CHOICE], ['3', CHOICE], [undefined, BLANK]],
];

/** Set 2: tax document. */
const TAX_DOCUMENT: readonly Row[] = [
  ['document_type', ['cpf'], ['CPF', CHOICE], ['cnpj', CHOICE], [undefined, BLANK]],
  [
    'document_number',
    ['52998224725'],
    ['529.982.247-25'],
    ['5299822472', WRONG],
    ['529982247255', WRONG],
    ['11111111111', WRONG],
    [undefined, BLANK],
  ],
  ['social_name', ...anyString, [undefined, BLANK]],
  ['fiscal_country', ['BR'], ['br', COUNTRY], ['BRA', COUNTRY], ['XX', COUNTRY], [undefined, BLANK]],
  ['toBankAccountId', ['1'], ...anyString],
];

/** Set 3: descriptor. */
const DESCRIPTOR: readonly Row[] = [['descriptor', ...an(20)]];

/** Set 4: delivery. */
const DELIVERY: readonly Row[] = [
  ['customer_phone', ...anyString],
  ['customer_telnocc', ...anyString],
  ['shipping_street1', ...anyString],
  ['shipping_city', ...anyString],
  ['shipping_state', ...anyString],
  ['shipping_postcode', ['123456789'], ['1'], ['1234567890', 'This value should have at most 9 digits.']],
  [
    'shipping_country',
    ['076'],
    ['BR', 'This value should have exactly 3 digits.'],
    ['0760', 'This value should have exactly 3 digits.'],
  ],
];

/** Set 5: the parties of a debit. */
const PARTIES: readonly Row[] = [
  'payer_identity_type',
  'payer_identity_id',
  'payer_identity_country',
  'payer_identity_exp_date',
  'payer_nationality',
  'payer_country_of_birth',
  'payee_first_name',
  'payee_last_name',
  'payee_middle_name',
  'payee_address',
  'payee_city',
  'payee_state',
  'payee_country',
  'payee_zip',
  'payee_phone',
  'payee_birth_date',
  'payee_identity_type',
  'payee_identity_id',
  'payee_identity_country',
  'payee_identity_exp_date',
  'payee_nationality',
  'payee_country_of_birth',
].map((name): Row => [name, ...anyString]);

/** Set 6: shipping. */
const SHIPPING: readonly Row[] = [
  ['street1', ...an(100)],
  ['street2', ...an(100)],
  ['houseNumber1', ...an(100)],
  ['houseNumber2', ...an(100)],
  ['city', ...an(80)],
  ['state', ...an(50)],
  ['postcode', ...an(16)],
  ['country', ['BR'], ['br'], ['B1', COUNTRY], ['BRA', COUNTRY], ['XX', COUNTRY]],
  ['method', ...an(30)],
  ['cost', ...n(13)],
  ['comment', ...an(160)],
  ['expectedDate', ...an(10)],
  ['logisticsProvider', ...an(255)],
  ['trackingNumber', ...an(255)],
  ['returnTrackingNumber', ...an(255)],
  ['normalized', ...an(255)],
  ['validationStatus', ...an(255)],
  ['warehouse', ...an(100)],
  ['preference', ...an(21)],
  ['middleName', ...anyString],
  ['companyName', ...an(60)],
  ['phone', ...an(25)],
  ['workPhone', ...an(25)],
  ['mobile', ...an(25)],
  ['email', ...an(128)],
  ['type', ...oneOf('return', 'shipment')],
];

/** Set 6: items of the cart. */
const ITEMS: readonly Row[] = [
  ['name', ...an(255)],
  ['merchantItemId', ...an(255)],
  ['type', ...an(255)],
  ['quantity', ...n(5)],
  ['sku', ...an(255)],
  ['currency', ...a3],
  ['description', ...an(2048)],
  ['commodityCode', ...n(8)],
  ['commodityDescription', ...an(50)],
  ['originalPrice', ...an(255)],
  ['price', ...n(13)],
  ['totalAmount', ...n(13)],
  ['taxAmount', ...n(13)],
  ['totalTaxAmount', ...n(13)],
  ['discount', ...n(13)],
  ['tax', ...an(6)],
  ['taxCategory', ...an(2)],
  ['shipping', ...n10n2],
  ['giftMessage', ...an(255)],
  ['shippingMethod', ...an(255)],
  ['shippingInstructions', ...an(255)],
  ['shippingTrackingNumber', ...an(255)],
  ['quantityUnit', ...oneOf('M', 'CM', 'KG', 'G', 'COUNT'), ['kg', CHOICE]],
  ['productUrl', ...url],
  ['imageUrl', ...url],
  ['totalDiscountAmount', ...n10n2],
  ['productCode', ...an(30)],
  ['partNumber', ...an(30)],
  ['vatReferenceNumber', ...an(30)],
  ['itemNumber', ...n(3)],
  ['sellerId', ...an(255)],
  ['deliveryDate', ...an(10)],
  ['recipient.salutation', ...an(5)],
  ['recipient.firstName', ...an(48)],
  ['recipient.lastName', ...an(48)],
  ['recipient.middleName', ...an(50)],
  ['recipient.apartment', ...an(100)],
  ['recipient.street', ...an(100)],
  ['recipient.address', ...an(100)],
  ['recipient.city', ...an(80)],
  ['recipient.state', ...an(50)],
  ['recipient.postcode', ...an(16)],
  ['recipient.country', ['BR'], ['br'], ['076'], ['BRA', COUNTRY], ['76', COUNTRY], ['B1', COUNTRY]],
  ['recipient.phone', ...n(25)],
  ['recipient.email', ...an(128)],
];

/** Set 6: what of the cart is paid otherwise. */
const PAYMENTS: readonly Row[] = [
  ['name', ...an(255)],
  ['type', ...oneOf('GIFTCARD', 'PROMOTION')],
  ['amount', ...n10n2],
  ['currency', ...a3],
  ['status', ...oneOf('pending', 'authorized', 'captured')],
  ['brand', ...an(255)],
  ['primary', [true], [false], ['true'], ['false'], ['yes', 'This value should be of type boolean.']],
];

/** Set 6: sellers of a marketplace. */
const SELLERS: readonly Row[] = [
  ['id', ...an(255)],
  ['amount', ...n(13)],
];

const under = (place: string, rows: readonly Row[]) =>
  rows.map(([path, ...cases]): Row => [`${place}.${path}`, ...cases]);

/** Every case of a table, with values that are too long to be read cut off in the name. */
function casesOf(rows: readonly Row[]) {
  return rows.flatMap(([path, ...cases]) =>
    cases.map(([value, refused]) => ({
      path,
      value,
      refused,
      name: `${path} = ${String(JSON.stringify(value)).slice(0, 30)}${refused === undefined ? ' is taken' : ' is refused'}`,
    })),
  );
}

/** The parameters with a value at a dotted place; numbers are places of a list. */
function withValue(base: unknown, place: string, value: unknown): unknown {
  const [name = '', ...rest] = place.split('.');
  const at = Object(base ?? (/^\d+$/.test(name) ? [] : {}));
  const next = rest.length === 0 ? value : withValue(Reflect.get(at, name), rest.join('.'), value);
  if (Array.isArray(at)) return Object.assign([...at], { [name]: next });
  return { ...at, [name]: next };
}

const session = (parameters: unknown, operation = 'purchase') => sessionOf('card', Object(parameters), { operation });

function check(base: object, rows: readonly Row[], operation = 'purchase') {
  it.each(casesOf(rows))('$name', ({ path, value, refused }) => {
    const found = answer(session(withValue(base, path, value), operation));
    // The required ones say when they are: only the beginning is the text of a blank value.
    const expected =
      refused === BLANK
        ? expect.stringContaining(`parameters.card.${path}: ${BLANK}`)
        : `parameters.card.${path}: ${refused}`;
    expect(found).toEqual(refused === undefined ? [] : [expected]);
  });
}

const installments = { bnrg_installm_def: '00', bnrg_installm_months: '12', bnrg_installm_plan: '03' };
const taxDocument = {
  document_type: 'cpf',
  document_number: '52998224725',
  social_name: 'Maria Silva',
  fiscal_country: 'BR',
};

describe('set 1, installments', () => check(installments, INSTALLMENTS));
describe('set 2, tax document', () => check(taxDocument, TAX_DOCUMENT));
describe('set 3, descriptor', () => check({}, DESCRIPTOR));
describe('set 3, descriptor of a debit', () => check({}, DESCRIPTOR, 'debit'));
describe('set 4, delivery', () => check({}, DELIVERY));
describe('set 5, parties', () => check({}, PARTIES, 'debit'));
describe('set 6, shipping', () => check({}, under('shipping', SHIPPING)));
describe('set 6, items', () => check({ cart: { items: [{}] } }, under('cart.items.0', ITEMS)));
describe('set 6, payments', () => check({ cart: { payments: [{}] } }, under('cart.payments.0', PAYMENTS)));
describe('set 6, sellers', () => check({ marketPlace: { sellers: [{}] } }, under('marketPlace.sellers.0', SELLERS)));

/** `cart.items.0.name` as a form names it: `cart[items][0][name]`. */
const bracketed = (path: string) => path.split('.').reduce((name, part) => `${name}[${part}]`);

describe('set 6 in bracket form', () => {
  const rows = [
    ...under('shipping', SHIPPING),
    ...under('cart.items.0', ITEMS),
    ...under('cart.payments.0', PAYMENTS),
    ...under('marketPlace.sellers.0', SELLERS),
  ];
  it.each(casesOf(rows))('$name', ({ path, value, refused }) => {
    const expected =
      refused === BLANK
        ? expect.stringContaining(`parameters.card.${path}: ${BLANK}`)
        : `parameters.card.${path}: ${refused}`;
    expect(answer(session({ [bracketed(path)]: value }))).toEqual(refused === undefined ? [] : [expected]);
  });
});

describe('the shape of set 6', () => {
  it.each([
    ['shipping.colour', UNEXPECTED],
    ['cart.items.0.colour', UNEXPECTED],
    ['cart.items.0.recipient.colour', UNEXPECTED],
    ['cart.payments.0.colour', UNEXPECTED],
    ['marketPlace.sellers.0.colour', UNEXPECTED],
    ['colour', UNEXPECTED],
  ])('refuses the unknown name %s', (path, text) => {
    expect(answer(session(withValue({}, path, 'red')))).toEqual([`parameters.card.${path}: ${text}`]);
  });

  it('in bracket form is the same as nested', () => {
    const flat = {
      'shipping[city]': 'Rio',
      'cart[items][0][name]': 'Hat',
      'cart[items][1][name]': 'Cap',
      'cart[items][1][recipient][country]': 'BR',
      'cart[payments][0][type]': 'GIFTCARD',
      'marketPlace[sellers][0][id]': 's1',
    };
    const nested = {
      shipping: { city: 'Rio' },
      cart: {
        items: [{ name: 'Hat' }, { name: 'Cap', recipient: { country: 'BR' } }],
        payments: [{ type: 'GIFTCARD' }],
      },
      marketPlace: { sellers: [{ id: 's1' }] },
    };
    const parametersOf = (parameters: object) => {
      const validated = registry.validate(session(parameters), { today });
      return validated.ok ? resolveMethod(registry, validated.session, 'card') : validated.issues;
    };
    expect(parametersOf(flat)).toMatchObject({ kind: 'complete', value: { parameters: nested } });
    expect(parametersOf(flat)).toEqual(parametersOf(nested));
    expect(answer(session({ 'cart[items][0][quantity]': '-1' }))).toEqual([
      `parameters.card.cart.items.0.quantity: ${WRONG}`,
    ]);
  });
});

describe('an account', () => {
  const all = { ...installments, descriptor: 'SHOP' };

  it('that uses a set requires the whole of it', () => {
    const lines = answer(session({}), profileOf(['installments']));
    expect(lines.map((line) => line.split(':')[0])).toEqual(
      Object.keys(installments).map((name) => `parameters.card.${name}`),
    );
    expect(answer(session(installments), profileOf(['installments']))).toEqual([]);
  });

  it('that does not use a set refuses it', () => {
    expect(answer(session(all), profileOf(['descriptor']))).toEqual(
      Object.keys(installments).map((name) => `parameters.card.${name}: ${UNEXPECTED}`),
    );
    expect(answer(session(all), profileOf(['descriptor', 'installments']))).toEqual([]);
  });

  it('of which nothing is known takes every set, and a part of one is not enough', () => {
    expect(answer(session(all))).toEqual([]);
    expect(answer(session({}))).toEqual([]);
    expect(answer(session({ document_type: 'cpf' })).map((line) => line.split(':')[0])).toEqual([
      'parameters.card.document_number',
      'parameters.card.social_name',
      'parameters.card.fiscal_country',
    ]);
  });

  it('alone says which sets it uses', () => {
    expect(answer(session({ sets: ['order'] }))).toEqual([`parameters.card.sets: ${UNEXPECTED}`]);
  });

  it('says which conditional parameters it requires, in each item of a list', () => {
    const profile = profileOf(['order'], ['shipping.city', 'cart.items.name', 'cart.items.recipient.city']);
    expect(answer(session({}), profile)).toEqual([
      `parameters.card.shipping.city: ${BLANK}`,
      `parameters.card.cart.items.name: ${BLANK}`,
      `parameters.card.cart.items.recipient.city: ${BLANK}`,
    ]);
    const items = [
      { name: 'Hat', recipient: { city: 'Rio' } },
      { sku: '1', recipient: {} },
    ];
    expect(answer(session({ shipping: { city: 'Rio' }, cart: { items } }), profile)).toEqual([
      `parameters.card.cart.items.1.name: ${BLANK}`,
      `parameters.card.cart.items.1.recipient.city: ${BLANK}`,
    ]);
  });

  it('that requires the payer’s address has the payer asked for it', () => {
    const profile = profileOf(undefined, ['billing_address.city']);
    const validated = registry.validate(session({}), { today, profile });
    if (!validated.ok) throw new Error(JSON.stringify(validated.issues));
    const resolution = resolveMethod(registry, validated.session, 'card', { profiles: profile });
    expect(resolution).toMatchObject({ kind: 'missing', fields: [{ path: 'billing_address.city' }] });
  });

  it('warns of wrong check digits of a CPF', () => {
    expect(answer(session({ ...taxDocument, document_number: '23100299900' }))).toEqual([
      'warning parameters.card.document_number: The check digits of this document are not correct.',
    ]);
  });
});

describe('a card payment', () => {
  const amounts = (amount: string, currency: string, more: object = {}) =>
    sessionOf('card', {}, { order: { number: 'order-1', amount, currency, description: 'Two books' }, ...more });

  it.each([
    ['9999999999.99', 'USD', []],
    ['10000000000.00', 'USD', ['order.amount: This value should be less than or equal to 9999999999.99.']],
    ['999999999999.00', 'JPY', []],
    ['1.00', 'USDT', [`order.currency: ${CHOICE}`]],
  ])('of %s %s', (amount, currency, expected) => {
    expect(answer(amounts(amount, currency))).toEqual(expected);
  });

  it('of nothing only starts a chain', () => {
    expect(answer(amounts('0.00', 'USD'))).toEqual(['amount: This value should be greater than 0.']);
    expect(answer(amounts('0.00', 'USD', { recurring_init: true }))).toEqual([]);
  });

  it('takes a card', () => {
    const validated = registry.validate(session({}), { today });
    expect(validated.ok && takesCard(registry, validated.session, 'card')).toBe(true);
    expect(validated.ok && takesCard(registry, validated.session, 'other')).toBe(false);
  });

  it('never carries a card number', () => {
    expect(answer(session({ card_number: '4111111111111111' }))).toEqual([
      `parameters.card.card_number: ${UNEXPECTED}`,
    ]);
  });

  it('takes set 5 for debits only, and the others for purchases only', () => {
    expect(answer(session({ payer_identity_id: '1' }))).toEqual([`parameters.card.payer_identity_id: ${UNEXPECTED}`]);
    expect(answer(session({ customer_phone: '1' }, 'debit'))).toEqual([
      `parameters.card.customer_phone: ${UNEXPECTED}`,
    ]);
  });
});

describe.each(['card-redirect', 'card-redirect-alt'])('%s', (method) => {
  const error_url = 'https://shop.example/error';
  const address = { address: 'Moor Building', country: 'GB', city: 'London', zip: 'N1' };

  it('needs the address for failed payments in the request', () => {
    expect(answer(sessionOf(method, {}))).toEqual([`error_url: ${BLANK}`]);
  });

  it('asks the payer for name, e-mail and address that the request lacks', () => {
    const missing = (more: object) => {
      const validated = registry.validate(sessionOf(method, {}, { error_url, ...more }), { today });
      if (!validated.ok) throw new Error(JSON.stringify(validated.issues));
      const resolution = resolveMethod(registry, validated.session, method);
      return resolution.kind === 'missing' ? resolution.fields.map(({ path }) => path) : resolution.kind;
    };
    expect(missing({ customer: undefined })).toEqual([
      'customer.name',
      'customer.email',
      ...Object.keys(address).map((name) => `billing_address.${name}`),
    ]);
    expect(missing({ billing_address: address })).toBe('complete');
  });

  it('takes a card only in the account’s card flow', () => {
    const validated = registry.validate(sessionOf(method, {}, { error_url }), { today });
    if (!validated.ok) throw new Error(JSON.stringify(validated.issues));
    const takes = (mid: object) => takesCard(registry, validated.session, method, { mid: { ...mid } });
    expect([takes({}), takes({ flow: 'virtual' }), takes({ flow: 'card' })]).toEqual([false, false, true]);
  });

  it('takes its subdomain from the account only', () => {
    expect(answer(sessionOf(method, { subdomain: 'shop-1' }, { error_url }))).toEqual([
      `parameters.${method}.subdomain: ${UNEXPECTED}`,
    ]);
  });
});
