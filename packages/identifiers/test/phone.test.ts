import { describe, expect, it } from 'vitest';
import {
  barePhone,
  isPhoneOf,
  maskedPhone,
  phoneFormats,
  type PhoneCountry,
  toE164,
  withoutPlus,
} from '../src/phone.ts';
import published from './fixtures/phones.json' with { type: 'json' };

const isKnown = (country: string): country is PhoneCountry => Object.hasOwn(phoneFormats, country);
const known = published.numbers.flatMap((each) => (isKnown(each.country) ? [{ ...each, country: each.country }] : []));

describe('a phone number', () => {
  it('is published for every country that has a format', () => {
    expect(new Set(known.map(({ country }) => country))).toEqual(new Set(Object.keys(phoneFormats)));
  });

  it.each(known)('of $country, $e164, is read with and without its plus', ({ country, e164, msisdn }) => {
    expect([toE164(e164), toE164(msisdn), withoutPlus(e164)]).toEqual([e164, e164, msisdn]);
    expect(isPhoneOf(country, e164)).toBe(true);
  });

  it.each(known)('of $country with a digit more or less is none', ({ country, e164 }) => {
    expect([isPhoneOf(country, `${e164}0`), isPhoneOf(country, e164.slice(0, -1))]).toEqual([false, false]);
  });

  it.each(known)('of $country is of no other country', ({ country, e164 }) => {
    const others = Object.keys(phoneFormats).filter(
      (each) => each !== country && isKnown(each) && isPhoneOf(each, e164),
    );
    expect(others).toEqual([]);
  });

  it.each([
    '',
    '+',
    '00254712345678',
    '0712345678',
    '254 712 345 678',
    '٢٥٤٧١٢٣٤٥٦٧٨',
    '2547123',
    '+1234567890123456',
    'tel:254712345678',
  ])('is not read from "%s"', (text) => {
    expect(toE164(text)).toBeUndefined();
  });

  it('may be typed with spaces and punctuation', () => {
    expect(toE164(barePhone('+254 (712) 345-678'))).toBe('+254712345678');
  });

  it('is shown by its last three digits alone', () => {
    expect(maskedPhone('+254712345678')).toBe('+••••678');
  });
});
