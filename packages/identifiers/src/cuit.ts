import { withoutSeparators } from './separators.ts';
import { weightedSum } from './weighted-sum.ts';

const WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
/** The check digit by 11 less the remainder. */
const CHECK = '012345678990';

/**
 * Whether the text is a tax number in Argentina, of a company (CUIT) or an employee (CUIL): eleven bare digits with a prefix that is
 * given out and a right check digit.
 *
 * @example isCuit('20055361682') // true
 */
export function isCuit(text: string): boolean {
  return /^(?:2[034567]|3[034])\d{9}$/.test(text) && CHECK[11 - (weightedSum(text, WEIGHTS) % 11)] === text.at(-1);
}

/** Removes what people write between the groups. @example normaliseCuit('20-05536168-2') // '20055361682' */
export function normaliseCuit(text: string): string {
  return withoutSeparators(text);
}
