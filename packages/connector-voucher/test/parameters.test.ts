import { describe, expect, it, test } from 'vitest';
import { answer, sessionOf } from './support/sessions.ts';

const KEYS = ['cash-voucher', 'spei'] as const;
const inPesos = (amount: string, currency = 'MXN') => ({
  order: { number: 'order-1', amount, currency, description: 'Two books' },
});

it.each(KEYS)('%s takes a session in pesos without parameters', (key) => {
  expect(answer(sessionOf(key, {}))).toEqual([]);
  expect(answer(sessionOf(key, { expires_at: 1 }))).toEqual([expect.stringContaining(`parameters.${key}.expires_at`)]);
});

it.each(KEYS)('%s leaves name, e-mail and phone number to the payer', (key) => {
  expect(answer(sessionOf(key, {}, { customer: undefined, billing_address: undefined }))).toEqual([]);
});

it.each(KEYS)('%s takes what fits the price of a product, and pesos alone', (key) => {
  expect(answer(sessionOf(key, {}, inPesos('21474836.47')))).toEqual([]);
  expect(answer(sessionOf(key, {}, inPesos('21474836.48')))).toEqual([expect.stringContaining('order.amount')]);
  expect(answer(sessionOf(key, {}, inPesos('10.00', 'USD')))).not.toEqual([]);
});

/** Of the catalogue, written by hand: what a session sends, and what is said of it. Each length with both edges. */
const LIMITS: readonly (readonly [
  key: string,
  parameters: Readonly<Record<string, unknown>>,
  said: string | undefined,
])[] = [
  ['pin-voucher', {}, undefined],
  ['pin-voucher', { pin: '1234567890123456' }, undefined],
  ['pin-voucher', { pin: '0000000000000001' }, undefined],
  ['pin-voucher', { pin: '1234 5678-9012 3456' }, undefined],
  ['pin-voucher', { pin: '123456789012345' }, 'pin: This value should have exactly 16 characters.'],
  ['pin-voucher', { pin: '12345678901234567' }, 'pin: This value should have exactly 16 characters.'],
  ['pin-voucher', { pin: '123456789012345a' }, 'pin: This value is not valid.'],
  ['pin-voucher', { pin: '١٢٣٤٥٦٧٨٩٠١٢٣٤٥٦' }, 'pin: This value is not valid.'],
  ['pin-voucher', { pin: '' }, 'pin: This value should not be blank.'],
  ['pin-voucher', { pin: ' - ' }, 'pin: This value should not be blank.'],
  ['pin-voucher', { pin: 1234567890123456 }, 'pin: This value should be of type string.'],
  ['pin-voucher', { code: '1' }, 'code: This field was not expected.'],
  ['cash-ticket', {}, undefined],
  ['cash-ticket', { document_number: '1' }, undefined],
  ['cash-ticket', { document_number: 'x'.repeat(255) }, undefined],
  [
    'cash-ticket',
    { document_number: 'x'.repeat(256) },
    'document_number: This value is too long. It should have 255 characters or less.',
  ],
  ['cash-ticket', { document_number: '' }, 'document_number: This value should not be blank.'],
  ['cash-ticket', { document_number: 1 }, 'document_number: This value should be of type string.'],
  ['cash-ticket', { document_type: 'CC' }, 'document_type: This field was not expected.'],
  ['cash-reference', {}, undefined],
  ['cash-reference', { type: false }, 'type: This field was not expected.'],
  ['voucher-redirect', {}, undefined],
  ['voucher-redirect', { pin: '1' }, 'pin: This field was not expected.'],
];

describe('what a session may send', () => {
  test.each(LIMITS)('%s %j: %s', (key, parameters, said) => {
    const expected = said === undefined ? [] : [`parameters.${key}.${said}`];
    expect(answer(sessionOf(key, parameters))).toEqual(expected);
  });

  test.each(['cash-reference', 'cash-ticket', 'pin-voucher', 'voucher-redirect'])(
    '%s is for purchases alone, in any currency and country',
    (key) => {
      expect(answer(sessionOf(key, {}, { operation: 'debit' }))).toEqual([
        'methods: The value you selected is not a valid choice.',
      ]);
      expect(answer(sessionOf(key, {}, inPesos('10.00', 'KES')))).toEqual([]);
      expect(answer(sessionOf(key, {}, { billing_address: { country: 'KE' } }))).toEqual([]);
    },
  );
});
