import { readFileSync } from 'node:fs';
import * as fc from '../../../test/support/properties.ts';
import { describe, expect, it } from 'vitest';
import { addMoney, compareMoney, isZero, subtractMoney } from '../src/money/arithmetic.ts';
import { currencies, currency } from '../src/money/currencies.ts';
import { currencyNumber, currencyOfNumber } from '../src/money/currency-numbers.ts';
import {
  decimal,
  fromDecimal,
  fromMinorUnits,
  jsonNumber,
  minorUnits,
  minorUnitsBigint,
  twoDecimals,
  wholeUnits,
} from '../src/money/provider-formats.ts';
import { formatDecimals, money, moneyOfMinor, parseMoney } from '../src/money/money.ts';
import { JsonNumberLiteral } from '../src/money/json-number.ts';

/** One currency for each exponent in use. */
const byExponent = [
  ['JPY', 0],
  ['USD', 2],
  ['KWD', 3],
  ['CLF', 4],
  ['USDT', 6],
  ['BTC', 8],
  ['ETH', 18],
] as const;

const anyCurrency = fc.constantFrom(...byExponent.map(([code]) => code));
const anyMinor = fc.bigInt({ min: 0n, max: 10n ** 40n });

const reason = (text: string, code: string) => {
  const parsed = parseMoney(text, code);
  return parsed.ok ? 'accepted' : parsed.reason;
};

describe('the currency table', () => {
  interface Listed {
    readonly code: string;
    readonly number: string;
    readonly digits: number;
  }
  const listed: { all: Listed[] } = JSON.parse(
    readFileSync(new URL('./fixtures/iso4217.json', import.meta.url), 'utf8'),
  );
  const withoutMinorUnit = ['XAG', 'XAU', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XPD', 'XPT', 'XSU', 'XTS', 'XUA', 'XXX'];
  const replaced = ['ANG', 'BGN'];

  it('agrees with the published list on every code, number and exponent', () => {
    const expected = listed.all.filter(({ code }) => ![...withoutMinorUnit, ...replaced].includes(code));
    const ours = [...currencies.values()].filter(({ kind, code }) => kind === 'fiat' && code !== 'XCG');
    expect(ours.map(({ code, exponent }) => `${code} ${currencyNumber(code)} ${exponent}`).sort()).toEqual(
      expected.map(({ code, number, digits }) => `${code} ${number} ${digits}`).sort(),
    );
  });

  it('knows the changes since that list', () => {
    expect(currency('XCG')).toEqual({ code: 'XCG', exponent: 2, kind: 'fiat' });
    expect(currencyNumber('XCG')).toBe('532');
    for (const code of replaced) expect(currency(code)).toBeUndefined();
  });

  it('leads from each number back to its code, also where zeros in front are missing', () => {
    for (const { code } of currencies.values()) {
      const number = currencyNumber(code);
      if (number === undefined) continue;
      expect(currencyOfNumber(number)).toBe(code);
      expect(currencyOfNumber(Number(number))).toBe(code);
    }
    for (const number of ['000', '999', 1000, '', 'EUR']) expect(currencyOfNumber(number)).toBeUndefined();
  });

  it('knows crypto assets by their decimals', () => {
    expect(currency('BTC')).toEqual({ code: 'BTC', exponent: 8, kind: 'crypto' });
    expect(currency('ETH')?.exponent).toBe(18);
    expect(currency('USDT')?.exponent).toBe(6);
  });

  it.each(['usd', 'XXX', 'constructor', '__proto__', '', ' USD', 'USDD'])('does not know "%s"', (code) => {
    expect(currency(code)).toBeUndefined();
  });
});

describe('reading an amount', () => {
  it.each([
    ['123', 'USD', 12300n],
    ['1.0', 'USD', 100n],
    ['0.01', 'USD', 1n],
    ['0', 'USD', 0n],
    ['9007199254740993.00', 'USD', 900719925474099300n],
    ['100', 'JPY', 100n],
    ['100.0', 'JPY', 100n],
    ['100.00', 'JPY', 100n],
    ['12.345', 'KWD', 12345n],
    ['1.00', 'KWD', 1000n],
    ['1.0000', 'CLF', 10000n],
    ['0.00000001', 'BTC', 1n],
    ['0.000000000000000001', 'ETH', 1n],
  ])('reads %s %s', (text, code, minor) => {
    expect(money(text, code)).toEqual({ text, minor, currency: code, exponent: currency(code)?.exponent });
  });

  it.each([
    '',
    ' ',
    '1e2',
    '+1.00',
    '-1.00',
    '-1',
    '1.00 ',
    ' 1.00',
    '1,00',
    '1.000,00',
    '1_000.00',
    '.50',
    '1.',
    '1..00',
    '1.2.3',
    '00.10',
    '0001.00',
    '$1.00',
    '0b1.00',
    '0x10',
    '١.٠٠',
    '1.00\n',
    'NaN',
    'Infinity',
    '１.00',
    '9'.repeat(256),
  ])('refuses %j', (text) => {
    expect(reason(text, 'USD')).toBe('grammar');
  });

  it('says why it refuses', () => {
    expect(reason('1.005', 'USD')).toBe('decimals');
    expect(reason('1.000', 'JPY')).toBe('decimals');
    expect(reason('100.50', 'JPY')).toBe('fraction');
    expect(reason('0.000000001', 'BTC')).toBe('decimals');
    expect(reason('1.00', 'usd')).toBe('currency');
  });

  it('throws for an amount written in code that is none', () => {
    expect(() => money('1.005', 'USD')).toThrow(new RangeError('"1.005" is not an amount of USD (decimals)'));
    expect(() => money('1', 'ABC')).toThrow(new RangeError('Unknown currency "ABC"'));
  });

  it('keeps the bytes sent and counts the same minor units as integer arithmetic does', () => {
    fc.assert(
      fc.property(anyCurrency, fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat(20), (code, whole, length) => {
        const exponent = currency(code)?.exponent ?? Number.NaN;
        const decimals = (exponent === 0 ? '0' : '123456789012345678')
          .repeat(2)
          .slice(0, Math.min(length, formatDecimals(exponent)));
        const text = decimals === '' ? `${whole}` : `${whole}.${decimals}`;
        const fraction = exponent === 0 ? 0n : BigInt(decimals.padEnd(exponent, '0'));
        const read = money(text, code);
        expect(read.text).toBe(text);
        expect(read.minor).toBe(whole * 10n ** BigInt(exponent) + fraction);
      }),
    );
  });

  it('never accepts a text that could be spelled with another leading digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9.eE+\-, ]{0,12}$/), (text) => {
        const parsed = parseMoney(text, 'USD');
        if (parsed.ok) expect(text).toMatch(/^(0|[1-9]\d*)(\.\d{1,2})?$/);
      }),
    );
  });
});

describe('arithmetic', () => {
  it('adds and subtracts exactly', () => {
    fc.assert(
      fc.property(anyCurrency, anyMinor, anyMinor, (code, left, right) => {
        const sum = addMoney(moneyOfMinor(left, code), moneyOfMinor(right, code));
        expect(sum.minor).toBe(left + right);
        expect(subtractMoney(sum, moneyOfMinor(right, code)).minor).toBe(left);
      }),
    );
  });

  it('compares by value, not by spelling', () => {
    expect(compareMoney(money('10.5', 'USD'), money('10.50', 'USD'))).toBe(0);
    expect(compareMoney(money('9.99', 'USD'), money('10', 'USD'))).toBe(-1);
    expect(compareMoney(money('10', 'USD'), money('9.99', 'USD'))).toBe(1);
    expect(isZero(money('0.00', 'USD'))).toBe(true);
  });

  it('refuses to mix currencies', () => {
    const dollars = money('1.00', 'USD');
    const euros = money('1.00', 'EUR');
    for (const compute of [addMoney, subtractMoney, compareMoney])
      expect(() => compute(dollars, euros)).toThrow('Amounts of USD and EUR cannot be computed with each other');
  });

  it('refuses to go below zero', () => {
    expect(() => subtractMoney(money('1.00', 'USD'), money('1.01', 'USD'))).toThrow(RangeError);
    expect(() => moneyOfMinor(-1n, 'USD')).toThrow(RangeError);
  });
});

describe('provider formats', () => {
  it.each([
    ['10.5', 'USD', '1050', '10.50', '10.50'],
    ['1000', 'JPY', '1000', '1000', '1000.00'],
    ['1.25', 'KWD', '1250', '1.250', '1.25'],
    ['0.07', 'USD', '7', '0.07', '0.07'],
  ])('writes %s %s', (text, code, minor, exact, two) => {
    const amount = money(text, code);
    expect([minorUnits(amount), decimal(amount), twoDecimals(amount)]).toEqual([minor, exact, two]);
    expect(minorUnitsBigint(amount)).toBe(BigInt(minor));
  });

  it('writes whole units, and throws rather than round', () => {
    expect(wholeUnits(money('10.00', 'USD'))).toBe('10');
    expect(() => wholeUnits(money('10.01', 'USD'))).toThrow(RangeError);
    expect(() => twoDecimals(money('1.255', 'KWD'))).toThrow(RangeError);
  });

  it('writes the text of an amount in the format of the protocol', () => {
    expect(moneyOfMinor(100n, 'JPY').text).toBe('100.00');
    expect(moneyOfMinor(5n, 'USD').text).toBe('0.05');
    expect(moneyOfMinor(1n, 'BTC').text).toBe('0.00000001');
  });

  it('gives JSON numbers their exact digits', () => {
    expect(jsonNumber(money('10.5', 'USD')).literal).toBe('10.50');
    expect(jsonNumber(money('10.5', 'USD'), minorUnits).literal).toBe('1050');
    expect(() => new JsonNumberLiteral('01')).toThrow(RangeError);
    expect(JsonNumberLiteral.is(jsonNumber(money('1', 'USD')))).toBe(true);
    expect(JsonNumberLiteral.is({ literal: '1' })).toBe(false);
  });

  it('reads back what it writes, for every exponent', () => {
    fc.assert(
      fc.property(anyCurrency, anyMinor, (code, minor) => {
        const amount = moneyOfMinor(minor, code);
        expect(money(amount.text, code)).toEqual(amount);
        expect(fromDecimal(decimal(amount), code)).toEqual(amount);
        expect(fromMinorUnits(minorUnits(amount), code)).toEqual(amount);
        expect(JSON.parse(`{"a":${jsonNumber(amount).literal}}`)).toHaveProperty('a');
      }),
    );
  });

  it.each([
    ['10.5000', 'USD', '10.50'],
    ['10', 'USD', '10.00'],
    ['1e-8', 'BTC', '0.00000001'],
    ['1.05E1', 'USD', '10.50'],
    ['100.0', 'JPY', '100.00'],
    ['0010.50', 'USD', '10.50'],
  ])('reads %s %s of a provider as %s', (text, code, expected) => {
    expect(fromDecimal(text, code).text).toBe(expected);
  });

  it.each(['10.505', '-1.00', '1,00', '', 'NaN', '1e', '1e999', '$1'])('refuses %j of a provider', (text) => {
    expect(() => fromDecimal(text, 'USD')).toThrow(RangeError);
  });

  it.each(['1.5', '-1', '', '1e3', 2 ** 53, 1.5, -1, -1n])('refuses %s minor units of a provider', (units) => {
    expect(() => fromMinorUnits(units, 'USD')).toThrow(RangeError);
  });
});
