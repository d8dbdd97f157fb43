import { weightedSum } from './weighted-sum.ts';

const WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];
/** The check digit by the remainder, and the letter that older cards have in its place. */
const DIGITS = '65432110987';
const LETTERS = 'KJIHGFEDCBA';

/**
 * Whether the text is the number of an identity card in Peru (DNI): eight bare digits, with or without the right check digit or letter.
 *
 * @example isPeruvianDni('101174102') // true
 */
export function isPeruvianDni(text: string): boolean {
  if (/^\d{8}$/.test(text)) return true;
  const remainder = weightedSum(text, WEIGHTS) % 11;
  return /^\d{8}[0-9A-K]$/.test(text) && [DIGITS, LETTERS].some((checks) => checks[remainder] === text[8]);
}
