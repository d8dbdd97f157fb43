import { isCardNumber } from '@railyard/identifiers/card-number';
import * as fc from '../../../../test/support/properties.ts';
import { describe, expect, test } from 'vitest';
import {
  BRANDS,
  brandOf,
  cvvProblem,
  expiryProblem,
  grouped,
  nameProblem,
  numberProblem,
  readExpiry,
} from '../../src/rules/browser/card-rules.js';

const ALL = BRANDS.map(({ name }) => name);
const NOW = Date.parse('2026-11-21T12:00:00Z');

/** Published test numbers of the networks. */
const NUMBERS: readonly (readonly [string, string])[] = [
  ['visa', '4111111111111111'],
  ['visa', '4012888888881881'],
  ['visa', '4242424242424242'],
  ['visa', '4000056655665556'],
  ['mastercard', '5555555555554444'],
  ['mastercard', '5105105105105100'],
  ['mastercard', '2223003122003222'],
  ['mastercard', '2720992593319364'],
  ['amex', '378282246310005'],
  ['amex', '371449635398431'],
  ['discover', '6011111111111117'],
  ['discover', '6011000990139424'],
  ['discover', '6445644564456445'],
  ['diners', '30569309025904'],
  ['diners', '36227206271667'],
  ['jcb', '3566002020360505'],
  ['jcb', '3530111333300000'],
  ['unionpay', '6200000000000005'],
  ['unionpay', '6205500000000000004'],
  ['maestro', '6759649826438453'],
  ['maestro', '5018000000000009'],
  ['mir', '2200000000000004'],
  ['elo', '6362970000457013'],
  ['hipercard', '6062826786276634'],
];

describe('the number of a card', () => {
  test.each([
    ['elo', '6500310000000005'],
    ['elo', '6500570000000004'],
    ['unionpay', '8171999900000000021'],
    ['rupay', '8172'],
    ['verve', '5078650000000008'],
    ['verve', '650027'],
    ['hipercard', '3841000000000007'],
    ['diners', '38000000'],
  ])('is of %s by the current tables: %s', (brand, number) => expect(brandOf(number)?.name).toBe(brand));

  test.each(['501800000009', '5018000000007', '6759649826438453'])('of Maestro has 12 digits or more: %s', (number) =>
    expect(numberProblem(number, ALL)).toBe(undefined),
  );

  test.each(['50180000002', '4111111111119', '400000000002'])('of too few digits is refused: %s', (number) =>
    expect(numberProblem(number, ALL)).toBe('number'),
  );

  test.each(NUMBERS)('of %s is taken: %s', (brand, number) => {
    expect(numberProblem(number, ALL)).toBe(undefined);
    expect(brandOf(number)?.name).toBe(brand);
    expect(numberProblem(grouped(number), [brand])).toBe(undefined);
    expect(
      numberProblem(
        number,
        ALL.filter((each) => each !== brand),
      ),
    ).toBe('brand');
  });

  test.each([
    ['4111111111111112', 'number'],
    ['411111111111', 'number'],
    ['4222222222222', 'number'],
    ['44444444444444444444', 'number'],
    ['0000000000000000', 'number'],
    ['4111111111111111a', 'number'],
    ['1111 2222 3333 4444', 'brand'],
    ['', 'blank'],
    ['  ', 'blank'],
  ] as const)('"%s" is refused', (number, text) => {
    expect(numberProblem(number, ALL)).toBe(text);
  });

  test.each([
    '4111-1111 1111-1111',
    ' 4111 1111 1111 1111 ',
    '4111\u00a01111\u20131111\u20141111',
    '4111.1111.1111.1111',
    '４１１１１１１１１１１１１１１１',
    '٤١١١ ١١١١ ١١١١ ١١١١',
  ])('may be written as "%s"', (number) => {
    expect(numberProblem(number, ALL)).toBe(undefined);
  });

  test('stands on the page as on the card', () => {
    expect(grouped('4111111111111111')).toBe('4111 1111 1111 1111');
    expect(grouped('378282246310005')).toBe('3782 822463 10005');
    expect(grouped('6205500000000000004')).toBe('6205 5000 0000 0000 004');
    expect(grouped('41111')).toBe('4111 1');
    expect(grouped('')).toBe('');
  });
});

describe('the expiry date', () => {
  test.each([
    '12/30',
    '12 / 30',
    '1230',
    '12/2030',
    '122030',
    '12-30',
    '12.2030',
    '12 30',
    '2030-12',
    '2030/12',
    ' 12 /2030 ',
    '１２／３０',
    '١٢/٣٠',
  ])('may be written as "%s"', (text) => {
    expect(readExpiry(text)).toEqual({ month: '12', year: '2030' });
    expect(expiryProblem(text, NOW)).toBe(undefined);
  });

  test('may leave out the zero where a mark stands behind the month', () => {
    expect(readExpiry('1/38')).toEqual({ month: '01', year: '2038' });
    expect(readExpiry('138')).toBe(undefined);
  });

  test.each(['13/30', '00/30', '10/26', '12/1930', '1/2', 'never', '12/30/40', '2030-13'])(
    '"%s" is refused',
    (text) => {
      expect(expiryProblem(text, NOW)).toBe('expiry');
    },
  );

  test('is good until its month is over in the last time zone', () => {
    expect(expiryProblem('11/26', Date.parse('2026-12-01T11:59:59.999Z'))).toBe(undefined);
    expect(expiryProblem('11/26', Date.parse('2026-12-01T12:00:00.000Z'))).toBe('expiry');
  });
});

test.each([
  ['123', 'visa', undefined],
  ['1234', 'amex', undefined],
  ['123', undefined, undefined],
  ['1234', undefined, undefined],
  ['1234', 'visa', 'cvv'],
  ['123', 'amex', 'cvv'],
  ['12', undefined, 'cvv'],
  ['１２３', 'visa', undefined],
  ['1 2 3', 'visa', undefined],
  ['12a', 'visa', 'cvv'],
  ['', 'visa', 'blank'],
] as const)('the code "%s" of %s: %s', (code, brand, problem) => {
  expect(cvvProblem(code, brand)).toBe(problem);
});

test.each([
  ['Ada Example', undefined],
  ['Jean-Luc O’Neil', undefined],
  ["Seán O'Connor Jr.", undefined],
  ['José Muñoz', undefined],
  ['Јован Ђорђевић', undefined],
  ['Αλέξης Ζορμπάς', undefined],
  ['李 小龙', 'latin'],
  ['محمد علي', 'latin'],
  [`${'A'.repeat(15)} ${'B'.repeat(16)}`, undefined],
  [`${'A'.repeat(16)} ${'B'.repeat(16)}`, 'nameLength'],
  ['Cher', 'name'],
  ['Ada 4111', 'name'],
  ['Ada <b>', 'name'],
  ['- -', 'name'],
  ['', 'blank'],
])('the name "%s": %s', (name, problem) => {
  expect(nameProblem(name)).toBe(problem);
});

// The page's scripts are served as they are, without any package, so they have the check digit once more.
test('the page finds the check digit of a number as the identifiers do', () => {
  const visa = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 15, maxLength: 15 });
  fc.assert(
    fc.property(visa, (digits) => {
      const number = `4${digits.join('')}`;
      expect(numberProblem(number, ALL) === undefined).toBe(isCardNumber(number));
    }),
  );
});

test('cards of Maestro, UnionPay and Bancontact may have no code, and those of other networks have one', () => {
  const without = ALL.filter((brand) => cvvProblem('', brand) === undefined);
  expect(without).toEqual(['unionpay', 'maestro', 'bancontact']);
  expect(without.flatMap((brand) => [cvvProblem('12', brand), cvvProblem('123', brand)])).toEqual([
    'cvv',
    undefined,
    'cvv',
    undefined,
    'cvv',
    undefined,
  ]);
  expect(cvvProblem('', undefined)).toBe('blank');
});

test.each([
  ['Suharto', undefined],
  ['4111', 'name'],
  ['Acme &', 'name'],
  ['-', 'name'],
])('where one word may be the whole name, "%s": %s', (name, problem) => {
  expect(nameProblem(name, true)).toBe(problem);
});

test('a company’s name may have an ampersand between its words', () => {
  expect(['ACME & CO LTD', 'Ann & Bob Lee'].map((name) => nameProblem(name))).toEqual([undefined, undefined]);
  expect(['Acme &', '& Co', 'A & & B'].map((name) => nameProblem(name))).toEqual(['name', 'name', 'name']);
});
