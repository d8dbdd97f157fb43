import type { Translated } from '@railyard/core/registry';
import examples from 'libphonenumber-js/examples.mobile.json';
import {
  type CountryCode,
  getCountryCallingCode,
  getExampleNumber,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { asciiDigits } from '../rules/browser/digits.js';

/** The facts that decide which number a text is. */
export interface PhoneFacts {
  /** The countries in whose national form it may be written, alpha-2. */
  readonly countries: readonly string[];
  /** The calling code that the request names beside it, with its plus. */
  readonly callingCode?: string | undefined;
  /** A merchant's system wrote it: bare digits may begin with the calling code (protocol: mobile_number). */
  readonly bySystem: boolean;
}

/** E.164, or how to write it. */
export type ReadPhone =
  | { readonly ok: true; readonly e164: string }
  | { readonly ok: false; readonly said: Translated };

/**
 * The number that a text stands for, by the numbering plans of libphonenumber. Digits of any script, marks, a trunk `(0)` and an extension are
 * read. A national form counts only where exactly one number fits the countries: no number is guessed.
 *
 * @example readPhone('0712 345 678', { countries: ['KE'], bySystem: false }) // { ok: true, e164: '+254712345678' }
 */
export function readPhone(text: string, { countries, callingCode, bySystem }: PhoneFacts): ReadPhone {
  const written = asciiDigits(text)
    .trim()
    .replace(/^00\s*(?=[1-9(])/, '+');
  const known = countries.filter((country) => isSupportedCountry(country));
  const found = written.includes('+')
    ? [international(written)]
    : callingCode === undefined
      ? known.map((country) => national(written, country))
      : [international(`${callingCode} ${written}`)];
  const numbers = new Set(found.filter((each) => each !== undefined));
  if (known.length === 0 && numbers.size === 0 && bySystem && /^[1-9]\d+$/.test(written)) {
    const bare = international(`+${written}`);
    if (bare !== undefined) numbers.add(bare);
  }
  const [e164] = numbers;
  return e164 === undefined || numbers.size > 1 ? { ok: false, said: howToWrite(known) } : { ok: true, e164 };
}

/** The country of a number with its calling code; undefined for a national form. */
export const countryOfNumber = (written: string): string | undefined =>
  parsePhoneNumberFromString(asciiDigits(written))?.country;

function international(written: string): string | undefined {
  const read = parsePhoneNumberFromString(written);
  if (read === undefined) return undefined;
  // A range that is newer than the library is taken as it stands, if its length is right.
  const asItStands = read.isPossible() && `+${written.replaceAll(/\D/g, '')}` === read.number;
  return read.isValid() || asItStands ? read.number : undefined;
}

/** The library takes the national reading where it is valid, and else the one with the country's own calling code. */
function national(written: string, country: CountryCode): string | undefined {
  const read = parsePhoneNumberFromString(written, country);
  const isOfCountry = read?.countryCallingCode === getCountryCallingCode(country);
  return isOfCountry && read?.isValid() === true ? read.number : undefined;
}

/** Whose example stands for any country. */
const ANY: CountryCode = 'GB';

function howToWrite(countries: readonly CountryCode[]): Translated {
  const [only = ANY] = countries;
  const example = getExampleNumber(only, examples);
  const abroad = example?.formatInternational() ?? '';
  if (countries.length !== 1)
    return {
      en: `Write it with the country code, as ${abroad}.`,
      pt: `Escreva com o código do país, como ${abroad}.`,
    };
  const home = example?.formatNational() ?? '';
  return {
    en: `Write it as ${home}, or with the country code, as ${abroad}.`,
    pt: `Escreva como ${home}, ou com o código do país, como ${abroad}.`,
  };
}
