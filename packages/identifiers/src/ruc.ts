import { weightedSum } from './weighted-sum.ts';

const WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/**
 * Whether the text is a tax number in Peru (RUC): eleven digits with a prefix that is given out and a right check digit.
 *
 * @example isPeruvianRuc('20512333797') // true
 */
export function isPeruvianRuc(text: string): boolean {
  return /^(?:1[057]|20)\d{9}$/.test(text) && (11 - (weightedSum(text, WEIGHTS) % 11)) % 10 === Number(text.at(-1));
}
