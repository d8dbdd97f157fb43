import { describe, expect, it, test } from 'vitest';
import { isAba } from '../src/aba.ts';
import { blzLength, isBlz } from '../src/blz.ts';
import { isBsb, normaliseBsb } from '../src/bsb.ts';
import { checkClabe, isClabe } from '../src/clabe.ts';
import { isIfsc } from '../src/ifsc.ts';
import { isNcc, nccDigits } from '../src/ncc.ts';
import { isSortCode, normaliseSortCode } from '../src/sort-code.ts';
import accounts from './fixtures/bank-accounts.json' with { type: 'json' };
import ids from './fixtures/national-ids.json' with { type: 'json' };
import { digits } from './digits.ts';
import * as fc from '../../../test/support/properties.ts';

describe('a routing number', () => {
  const { valid, invalid } = ids.types['us.rtn'];

  it.each([...accounts.aba.valid, ...valid.map(({ input }) => input)])('is %s', (text) => {
    expect(isAba(text)).toBe(true);
  });

  it.each([...accounts.aba.invalid, ...invalid.map(({ input }) => input), '000000000', '', ' 11100002', '1110-00025'])(
    'is not %j',
    (text) => {
      expect(isAba(text)).toBe(false);
    },
  );

  it('has one check digit', () => {
    fc.assert(
      fc.property(
        digits(8).filter((stem) => stem !== '00000000'),
        (stem) => {
          expect([...'0123456789'].filter((digit) => isAba(`${stem}${digit}`))).toHaveLength(1);
        },
      ),
    );
  });
});

describe('a CLABE', () => {
  /** Only the place is wrong, which nobody looks up. */
  const OTHER_PLACE = '002115016003269411';
  const wrong = accounts.clabe.invalid.filter(({ v }) => v !== OTHER_PLACE);

  it.each([...accounts.clabe.valid, OTHER_PLACE])('is %s', (text) => {
    expect(checkClabe(text)).toEqual({ ok: true, clabe: text });
  });

  it.each(wrong)('is not $v: $why', ({ v, why }) => {
    expect(checkClabe(v)).toEqual({ ok: false, reason: why.startsWith('check digit') ? 'checksum' : 'format' });
  });

  it('has one check digit', () => {
    fc.assert(
      fc.property(digits(17), (stem) => {
        expect([...'0123456789'].filter((digit) => isClabe(`${stem}${digit}`))).toHaveLength(1);
      }),
    );
  });
});

test.each([
  ['HDFC0000001', true],
  ['SBIN0005943', true],
  ['ICIC0ABC123', true],
  ['HDFC1000001', false],
  ['HDF00000001', false],
  ['hdfc0000001', false],
  ['HDFC000001', false],
  ['HDFC00000012', false],
  ['', false],
])('whether %j is an IFSC: %s', (text, expected) => {
  expect(isIfsc(text)).toBe(expected);
});

test.each([
  ['040004', true],
  ['04000', false],
  ['0400044', false],
  ['04-00-04', false],
  ['04000x', false],
])('whether %j is a sort code and a BSB: %s', (text, expected) => {
  expect([isSortCode(text), isBsb(text)]).toEqual([expected, expected]);
});

test('a sort code and a BSB may be written with dashes and spaces', () => {
  expect([normaliseSortCode('04-00 04'), normaliseBsb('062-000')]).toEqual(['040004', '062000']);
});

test.each([
  ['37040044', 'DE', true],
  ['37040044', undefined, true],
  ['3704004', 'DE', false],
  ['370400440', 'DE', false],
  ['19043', 'AT', true],
  ['19043', 'DE', false],
  ['37040044', 'AT', false],
  ['37040044', 'CH', true],
  ['3704004x', 'DE', false],
])('whether %s of %s is a Bankleitzahl: %s', (text, country, expected) => {
  expect(isBlz(text, country)).toBe(expected);
});

test('a Bankleitzahl has five digits in Austria alone', () => {
  expect([blzLength('AT'), blzLength('DE'), blzLength()]).toEqual([5, 8, 8]);
});

/** Lengths of national clearing codes, as the list of ISO 20022 has them. */
const LENGTHS = [
  ['NZ', 6, 6],
  ['IE', 6, 6],
  ['ES', 8, 9],
  ['HK', 3, 3],
  ['IT', 10, 10],
  ['PT', 8, 8],
] as const;

describe('a national clearing code', () => {
  it('is known of six countries', () => {
    expect(Object.keys(nccDigits).toSorted()).toEqual(LENGTHS.map(([country]) => country).toSorted());
  });

  it.each(LENGTHS)('of %s has %i to %i digits', (country, min, max) => {
    const takes = (length: number) => isNcc('1'.repeat(length), country);
    expect([min - 1, min, max, max + 1].map(takes)).toEqual([false, true, true, false]);
    expect(isNcc('x'.repeat(min), country)).toBe(false);
  });

  it.each([
    ['1234ABC', true],
    ['1'.repeat(35), true],
    ['1'.repeat(36), false],
    ['12-34', false],
    ['', false],
  ])('of another country is %j: %s', (text, expected) => {
    expect([isNcc(text, 'GB'), isNcc(text, 'constructor')]).toEqual([expected, expected]);
  });
});
