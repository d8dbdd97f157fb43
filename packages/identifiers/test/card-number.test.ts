import * as fc from '../../../test/support/properties.ts';
import { describe, expect, it } from 'vitest';
import { isCardNumber, isMaskedCardNumber } from '../src/card-number.ts';
import { digits } from './digits.ts';

describe('a card number', () => {
  it.each(['4111111111111111', '378282246310005', '6304000000000000', '5019717010103742', '6011000990139424'])(
    'is %s',
    (text) => {
      expect(isCardNumber(text)).toBe(true);
    },
  );

  it.each([
    '',
    '4111111111111112',
    '4111 1111 1111 1111',
    '0000000000000000',
    '41111111111',
    '41111111111111111111',
    '４１１１１１１１１１１１１１１１',
    '411111******1111',
  ])('is not %j', (text) => {
    expect(isCardNumber(text)).toBe(false);
  });

  it('has 12 to 19 digits, of which the last is one out of ten', () => {
    const stems = fc.integer({ min: 10, max: 19 }).chain((length) => digits(length));
    fc.assert(
      fc.property(stems, (stem) => {
        const found = [...'0123456789'].filter((digit) => isCardNumber(`4${stem}${digit}`));
        const total = stem.length + 2;
        expect(found).toHaveLength(total <= 19 ? 1 : 0);
      }),
    );
  });

  it('is not what it was with two neighbours exchanged', () => {
    expect(isCardNumber('4111111111111111')).toBe(true);
    expect(isCardNumber('5105105105105100')).toBe(true);
    expect(isCardNumber('1505105105105100')).toBe(false);
  });
});

it.each([
  ['411111******1111', true],
  ['411111XXXXXX1111', true],
  ['************1111', true],
  ['****1111', false],
  ['4111111111111111', false],
  ['411111xxxxxx1111', false],
  ['4111 **** **** 1111', false],
  ['*'.repeat(20), false],
])('whether %j is a masked card number: %s', (text, expected) => {
  expect(isMaskedCardNumber(text)).toBe(expected);
});
