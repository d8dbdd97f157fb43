import { describe, expect, it } from 'vitest';
import { isE164, isPhoneOf, maskedPhone, phoneFormats, type PhoneCountry, withoutPlus } from '../src/phone.ts';
import published from './fixtures/phones.json' with { type: 'json' };

const isKnown = (country: string): country is PhoneCountry => Object.hasOwn(phoneFormats, country);
const known = published.numbers.flatMap((each) => (isKnown(each.country) ? [{ ...each, country: each.country }] : []));

describe('a phone number', () => {
  it('is published for every country that has a format', () => {
    expect(new Set(known.map(({ country }) => country))).toEqual(new Set(Object.keys(phoneFormats)));
  });

  it.each(known)('of $country, $e164, is E.164 with its plus alone', ({ country, e164, msisdn }) => {
    expect([isE164(e164), isE164(msisdn), withoutPlus(e164)]).toEqual([true, false, msisdn]);
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
  ])('is not "%s"', (text) => {
    expect(isE164(text)).toBe(false);
  });

  it.each([
    ['+5511987654321', '+55 11 •••••-4321'],
    ['+254712345678', '+254 •••••-5678'],
    ['+12025550123', '+1 2 •••••-0123'],
    ['+22890112345', '+228 ••••-2345'],
    ['+79123456789', '+7 9 •••••-6789'],
  ])('is shown with its country and its end: %s', (e164, shown) => {
    expect(maskedPhone(e164)).toBe(shown);
  });
});
