import { isValidBIC } from 'ibantools';
import { withoutSeparators } from './separators.ts';

/** Capital letters and digits: 8, or 11 with the branch. */
const FORM = /^[A-Z]{6}[0-9A-Z]{2}(?:[0-9A-Z]{3})?$/;

/**
 * Whether the text is a BIC in the form in which it travels (ISO 9362): four letters, a country that there is, two letters or digits,
 * and perhaps three more for the branch. All in capitals.
 *
 * @example isBic('AGRIFRPP882') // true
 */
export function isBic(text: string): boolean {
  return FORM.test(text) && isValidBIC(text);
}

/** A BIC without white space and dashes, in capitals. @example normaliseBic('abna be 2a') // 'ABNABE2A' */
export function normaliseBic(text: string): string {
  return withoutSeparators(text).toUpperCase();
}
