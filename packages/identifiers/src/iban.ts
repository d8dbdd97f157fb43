import { isValidIBAN } from 'ibantools';
import { withoutSeparators } from './separators.ts';

/** 1 to 30 letters and digits: what follows the four first characters of an IBAN, whatever the country (ISO 13616-1). */
const BBAN = /^[0-9A-Za-z]{1,30}$/;

/**
 * Whether the text is an IBAN in the form in which it travels: capital letters and digits alone, of a country in the IBAN registry, in
 * the form that the registry gives to its accounts, with right check digits (ISO 7064, mod 97-10). Check digits within the account are
 * looked at where the registry's library knows them.
 *
 * @example isIban('DE89370400440532013000') // true
 */
export function isIban(text: string): boolean {
  return isValidIBAN(text);
}

/**
 * An IBAN without what people write between its groups, in capitals.
 *
 * @example normaliseIban('de89 3704 0044 0532 0130 00') // 'DE89370400440532013000'
 */
export function normaliseIban(text: string): string {
  return withoutSeparators(text).toUpperCase();
}

/** The country that an IBAN is of, ISO 3166-1 alpha-2. @example countryOfIban('DE89370400440532013000') // 'DE' */
export function countryOfIban(iban: string): string {
  return iban.slice(0, 2);
}

/** Whether the text may be an account as one country writes it, without the first four characters of the IBAN. */
export function isBban(text: string): boolean {
  return BBAN.test(text);
}
