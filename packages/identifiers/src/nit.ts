/** From the digit before the check digit backwards: the primes that the tax authority gives each place. */
const WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71];
/** The check digit by the remainder. */
const DIGITS = '01987654321';

/**
 * Whether the text is a tax number in Colombia (NIT): 8 to 16 bare digits, of which the last is the right check digit.
 *
 * @example isColombianNit('2131234321') // true
 */
export function isColombianNit(text: string): boolean {
  if (!/^\d{8,16}$/.test(text)) return false;
  const sum = WEIGHTS.slice(0, text.length - 1).reduce((all, weight, at) => all + weight * Number(text.at(-2 - at)), 0);
  return DIGITS[sum % 11] === text.at(-1);
}
