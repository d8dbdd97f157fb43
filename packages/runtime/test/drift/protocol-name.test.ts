import * as fc from '../../../../test/support/properties.ts';
import { describe, expect, test } from 'vitest';
import { isDriftPlace } from '../../src/index.ts';
import { DATA_KEY, protocolName, protocolWord } from '../../src/drift/protocol-name.ts';

const NAMES = [
  'id',
  'expires_at',
  'pix_copy_and_paste',
  'expiryTime',
  'payment_method_configuration_details',
  'threeDS2RequestData',
  'PaymentInitiationScheme',
  'line1',
  'base_64_image',
  'iso20022',
  'sha256',
  'MerchantAccountHTTPUrl',
  'GrpHdr',
  'CdtTrfTxInf',
  '@xmlns',
  '#text',
  'status-code',
  '_links',
  'txid',
];

const DATA = [
  '4111111111111111',
  '4111-1111-1111-1111',
  'card_4111111111111111',
  'payer@example.com',
  'x@example.com',
  '+4915112345678',
  '2026-11-25',
  '7',
  'cus_9s6XKzkNRiz8i3',
  'pi_3MtwBwLkdIwHu7ix28a3tqPa',
  'tok_visa_9f8b7c6d5e4f3a2b1c0d',
  'd3b07384d113edec49eaa6238ad5ff00',
  '0b9f6d8e-6a1c-4f3e-9b7a-2f6c1d0e5a4b',
  'eyJhbGciOiJIUzI1NiJ9',
  'Ada Lovelace',
  'aGVsbG8gd29ybGQ=',
  '203.0.113.7',
  'DE89370400440532013000',
  '',
  'a'.repeat(65),
  'x'.repeat(40),
  'name\nwith a line',
];

describe('a name of a protocol', () => {
  test.each(NAMES)('%s is kept', (name) => {
    expect(protocolName(name)).toBe(name);
  });

  test.each(DATA)('%j may be data, and is `{key}`', (name) => {
    expect(protocolName(name)).toBe(DATA_KEY);
  });

  test.each(['PAID', 'paid_out', 'Partially-Refunded', 'requires_payment_method', 'CONCLUIDA', 'COMPLETED.V2'])(
    'the word %s is kept',
    (word) => {
      expect(protocolWord(word)).toBe(word);
    },
  );

  test.each(['4111111111111111', 'payer@example.com', 'Paid by Ada', '<b>', 'ch_3MtwBwLkdIwHu7ix28a3tqPa'])(
    'the word %j may be data',
    (word) => {
      expect(protocolWord(word)).toBe(DATA_KEY);
    },
  );
});

const digits = (min: number, max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((all) => all.join(''));

test('card numbers, mail addresses, UUIDs and digests are never kept, whatever stands before and after them', () => {
  const data = fc.oneof(
    digits(12, 19),
    digits(4, 4).chain((group) => fc.constant([group, group, group, group].join('-'))),
    fc.emailAddress(),
    fc.uuid(),
    fc.stringMatching(/^[0-9a-f]{32}$/).filter((text) => /\d/.test(text)),
  );
  const around = fc.constantFrom('', 'id_', 'customer-', '_x');
  fc.assert(
    fc.property(around, data, around, (before, value, after) => {
      expect(protocolName(before + value + after)).toBe(DATA_KEY);
    }),
    { numRuns: 500 },
  );
});

test.each(['', 'items[].fee', 'a.{key}.b', 'code,message', '{more}', 'grid[][].x'])('%j can be a place', (place) => {
  expect(isDriftPlace(place)).toBe(true);
});

test.each(['4111111111111111', 'a.payer@example.com', 'a b', 'a\nb', `a.${'x'.repeat(2000)}`])(
  '%j can be none',
  (place) => {
    expect(isDriftPlace(place)).toBe(false);
  },
);
