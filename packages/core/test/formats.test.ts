import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as fc from '../../../test/support/properties.ts';
import {
  alphanumericId,
  compactId,
  factFields,
  factsAt,
  fromAlphanumericId,
  fromCompactId,
  fromNumericId,
  inSnakeCase,
  numericId,
  providerDecimals,
  shortDecimal,
} from '../src/formats.ts';
import { currencies } from '../src/money/currencies.ts';
import { money, moneyOfMinor } from '../src/money/money.ts';
import { fromDecimal } from '../src/money/provider-formats.ts';

const ID = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';
const anyId = fc.uuid();
/** Every 128 bits, not only those of UUIDs of a known version. */
const edges = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
const anyLength = (min: number) => fc.integer({ min, max: 64 });

describe('a UUID as a provider takes it', () => {
  test('is 32 hexadecimal digits, 25 letters and digits, or 39 digits, and shorter as digits alone', () => {
    expect(compactId(ID)).toBe('0b5cdb2e0d6c4a0f9b576c2f0d8e4a11');
    expect(alphanumericId(ID, 26)).toBe('00o7tii80itpnny654nj9dr9jl');
    expect(numericId(ID, 39)).toBe('015103644760972172974959350728304249361');
    expect(numericId(ID, 12)).toBe('728304249361');
  });

  test('is read back whole, whatever the UUID and the length', () => {
    fc.assert(
      fc.property(fc.oneof(anyId, fc.constantFrom(...edges)), anyLength(39), (id, length) => {
        expect(fromCompactId(compactId(id))).toBe(id);
        expect(fromCompactId(compactId(id).toUpperCase())).toBe(id);
        expect(fromAlphanumericId(alphanumericId(id, length))).toBe(id);
        expect(fromAlphanumericId(alphanumericId(id, length).toUpperCase())).toBe(id);
        expect(fromNumericId(numericId(id, length))).toBe(id);
      }),
    );
  });

  // BCB, API Pix 2.9: txid is [a-zA-Z0-9]{26,35}.
  test('is a txid of Pix, by either of two writings', () => {
    fc.assert(
      fc.property(anyId, fc.integer({ min: 26, max: 35 }), (id, length) => {
        expect(compactId(id)).toMatch(/^[a-zA-Z0-9]{26,35}$/);
        expect(alphanumericId(id, length)).toMatch(/^[a-zA-Z0-9]{26,35}$/);
        expect(alphanumericId(id, length)).toHaveLength(length);
      }),
    );
  });

  test('has the length that is asked for as digits, the same every time', () => {
    fc.assert(
      fc.property(anyId, anyLength(9), (id, length) => {
        expect(numericId(id, length)).toMatch(new RegExp(`^\\d{${length}}$`));
        expect(numericId(id, length)).toBe(numericId(id, length));
      }),
    );
  });

  test('as few digits meets another about as often as is written down', () => {
    const ids = fc.sample(anyId, { numRuns: 30_000, seed: 7 });
    const met = new Set(ids.map((id) => numericId(id, 9)));
    // 30,000² / (2 · 10^9) is 0.45: more than a handful would mean that the digits are not spread evenly.
    expect(new Set(ids).size - met.size).toBeLessThan(5);
  });

  test.each(['', 'a1-7b0c6a52', ID.toUpperCase(), `${ID}0`, `{${ID}}`])('is refused where it is none: %j', (id) => {
    for (const write of [compactId, (text: string) => alphanumericId(text, 30), (text: string) => numericId(text, 12)])
      expect(() => write(id)).toThrow('is not a UUID in lower case');
  });

  test('is refused where it does not fit', () => {
    expect(() => alphanumericId(ID, 24)).toThrow('24 characters do not hold a UUID: 25 are the fewest');
    expect(() => numericId(ID, 8)).toThrow('References of 8 digits soon meet twice: 9 are the fewest');
  });

  test.each(['', 'x', '-'.repeat(32), 'z'.repeat(26), '9'.repeat(40)])('is not read from %j', (text) => {
    for (const read of [fromCompactId, fromAlphanumericId, fromNumericId]) expect(read(text)).toBeUndefined();
  });
});

describe('an amount without zeros at its end', () => {
  test.each([
    ['10.50', 'USD', '10.5'],
    ['10.00', 'USD', '10'],
    ['100', 'USD', '100'],
    ['0.01', 'USD', '0.01'],
    ['1000', 'JPY', '1000'],
    ['1.250', 'KWD', '1.25'],
    ['0.00010000', 'BTC', '0.0001'],
    ['0', 'USD', '0'],
  ])('%s %s is %s', (text, currency, written) => {
    expect(shortDecimal(money(text, currency))).toBe(written);
  });

  test('is the same amount when it is read, in every currency', () => {
    fc.assert(
      fc.property(fc.constantFrom(...currencies.keys()), fc.bigInt({ min: 0n, max: 10n ** 30n }), (code, minor) => {
        const amount = moneyOfMinor(minor, code);
        expect(shortDecimal(amount)).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(fromDecimal(shortDecimal(amount), code)).toEqual(amount);
      }),
    );
  });
});

// Adyen, "Currency codes and minor units": CLP and ISK have two decimals, CVE and IDR none.
describe('an amount in the decimals of a provider', () => {
  const adyen = providerDecimals({ CLP: 2, ISK: 2, CVE: 0, IDR: 0 });

  test.each([
    ['1000', 'CLP', '100000', '1000.00'],
    ['1000', 'JPY', '1000', '1000'],
    ['5000.00', 'IDR', '5000', '5000'],
    ['10.50', 'USD', '1050', '10.50'],
    ['1.250', 'KWD', '1250', '1.250'],
  ])('%s %s is %s or %s', (text, currency, units, decimals) => {
    expect(adyen.minorUnits(money(text, currency))).toBe(units);
    expect(adyen.decimal(money(text, currency))).toBe(decimals);
  });

  test('that the provider does not count, and units that the currency cannot hold, are recognised beforehand', () => {
    expect(adyen.counts(money('5000.00', 'IDR'))).toBe(true);
    expect(adyen.counts(money('5000.50', 'IDR'))).toBe(false);
    expect(adyen.holds(100_000, 'CLP')).toBe(true);
    expect(adyen.holds(100_050, 'CLP')).toBe(false);
    expect(adyen.holds(1, 'XXQ')).toBe(false);
  });

  test('that it cannot hold is refused and never rounded, in either direction', () => {
    expect(() => adyen.minorUnits(money('5000.50', 'IDR'))).toThrow('more decimals than 0 decimals of IDR can hold');
    expect(() => adyen.decimal(money('5000.50', 'IDR'))).toThrow('more decimals than 0 decimals of IDR can hold');
    expect(() => adyen.fromMinorUnits('100050', 'CLP')).toThrow('more decimals than an amount of CLP can hold');
    for (const units of ['10.5', '-1', -1, 1.5, Number.MAX_SAFE_INTEGER + 1])
      expect(() => adyen.fromMinorUnits(units, 'USD')).toThrow(RangeError);
    expect(() => adyen.fromMinorUnits('1', 'XXX')).toThrow('Unknown currency "XXX"');
  });

  test('is read back as it was written, in every currency', () => {
    fc.assert(
      fc.property(fc.constantFrom(...currencies.keys()), fc.bigInt({ min: 0n, max: 10n ** 30n }), (code, minor) => {
        const amount = moneyOfMinor(code === 'CVE' || code === 'IDR' ? minor * 100n : minor, code);
        expect(adyen.fromMinorUnits(adyen.minorUnits(amount), code)).toEqual(amount);
        expect(fromDecimal(adyen.decimal(amount), code)).toEqual(amount);
      }),
    );
  });
});

test('facts are read from the fields in which they stand, and never make a reply unreadable', () => {
  const places = { arn: 'arn', 'issuer.bank': 'issuer_bank', 'issuer.country': 'issuer_country' } as const;
  const schema = z.object({ id: z.string(), ...factFields(places) });
  const reply = schema.parse({ id: 'p-1', arn: 7, issuer: { bank: 'North Bank', country: 'DE' }, more: 1 });
  expect(reply).toEqual({ id: 'p-1', arn: 7, issuer: { bank: 'North Bank', country: 'DE' } });
  expect(factsAt(places, reply)).toEqual({ issuer_bank: 'North Bank', issuer_country: 'DE' });
});

test('names are written in snake_case, and what is in the values stays as it is', () => {
  expect(inSnakeCase({ userAgent: 'A', javaScriptEnabled: true, number: { aB: 1 } })).toEqual({
    user_agent: 'A',
    java_script_enabled: true,
    number: { aB: 1 },
  });
});
