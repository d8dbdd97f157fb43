import { withoutSeparators } from './separators.ts';
import { weightedSum } from './weighted-sum.ts';

/** Of eight digits, the first of which is 0 where a number has seven. */
const WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];
const CHECK = '-123456789K0';

/**
 * Whether the text is a tax number in Chile (RUT), which persons call RUN: seven or eight bare digits and a check digit, which may be
 * the capital K.
 *
 * @example isRut('76014309K') // true
 */
export function isRut(text: string): boolean {
  return (
    /^\d{7,8}[0-9K]$/.test(text) &&
    CHECK[11 - (weightedSum(text.slice(0, -1).padStart(8, '0'), WEIGHTS) % 11)] === text.at(-1)
  );
}

/** Removes what people write between the groups, and writes the K as a capital. @example normaliseRut('12.531.909-2') // '125319092' */
export function normaliseRut(text: string): string {
  return withoutSeparators(text).toUpperCase();
}
