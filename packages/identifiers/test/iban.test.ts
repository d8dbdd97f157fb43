import { describe, expect, it } from 'vitest';
import { countryOfIban, isBban, isIban, normaliseIban } from '../src/iban.ts';
import published from './fixtures/national-ids.json' with { type: 'json' };

const { iban, 'be.iban': belgian } = published.types;

describe('an IBAN', () => {
  it('is published in 196 right and 23 wrong forms', () => {
    expect([iban.valid.length, iban.invalid.length]).toEqual([196, 23]);
  });

  it.each([...iban.valid, ...belgian.valid])('is $input, once normalised', ({ input, ...known }) => {
    const bare = normaliseIban(input);
    if ('compact' in known) expect(bare).toBe(known.compact);
    expect(isIban(bare)).toBe(true);
  });

  it.each([...iban.invalid, ...belgian.invalid.filter(({ why }) => why === 'InvalidChecksum')])(
    'is not $input ($why)',
    ({ input }) => {
      expect(isIban(normaliseIban(input))).toBe(false);
    },
  );

  it.each([
    '',
    'DE',
    'DE89 3704 0044 0532 0130 00',
    'de89370400440532013000',
    '__89370400440532013000',
    'DE893704004405320130００',
  ])('is not %j: it is taken bare and in capitals', (text) => {
    expect(isIban(text)).toBe(false);
  });

  it('gives its country', () => {
    expect(countryOfIban('DE89370400440532013000')).toBe('DE');
  });

  it('with any one digit changed is none', () => {
    const right = 'DE89370400440532013000';
    const wrong = Array.from({ length: 20 }, (_, at) => {
      const digit = (Number(right.charAt(at + 2)) + 1) % 10;
      return `${right.slice(0, at + 2)}${digit}${right.slice(at + 3)}`;
    });
    expect(wrong.filter(isIban)).toEqual([]);
  });
});

it.each([
  ['370400440532013000', true],
  ['NWBK60161331926819', true],
  ['0'.repeat(30), true],
  ['0'.repeat(31), false],
  ['', false],
  ['3704 0044', false],
])('whether %j can be a BBAN: %s', (text, expected) => {
  expect(isBban(text)).toBe(expected);
});
