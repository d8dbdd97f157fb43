import { hasLuhnDigit } from './luhn.ts';

/** No issuer has numbers that begin with 0 (ISO/IEC 7812). */
const DIGITS = /^[1-9]\d{11,18}$/;

/** At least one digit is hidden. */
const MASKED = /^(?=\d*[*X])[\d*X]{12,19}$/;

/**
 * Whether the text is 12 to 19 digits, the last of which is their check digit (Luhn), and nothing else.
 *
 * @example isCardNumber('4111111111111111') // true
 */
export function isCardNumber(text: string): boolean {
  return DIGITS.test(text) && hasLuhnDigit(text);
}

/**
 * Whether the text is a card number of which some digits are hidden by `*` or `X`.
 *
 * @example isMaskedCardNumber('411111******1111') // true
 */
export function isMaskedCardNumber(text: string): boolean {
  return MASKED.test(text);
}
