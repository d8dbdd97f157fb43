import { weightedSum } from './weighted-sum.ts';

const BANK = [7, 1, 3, 9, 7, 1, 3];
const ACCOUNT = [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3];

/** Whether the last digit of the text is the check digit of those before it. */
function isRight(text: string, weights: readonly number[]): boolean {
  return (10 - (weightedSum(text, weights) % 10)) % 10 === Number(text.at(-1));
}

/**
 * Whether the text is an account in Argentina: bank 3, branch 4, check digit, account 13, check digit. The account of a payment
 * service (CVU) has the same form and begins with `000`.
 *
 * @example isCbu('2850590940090418135201') // true
 */
export function isCbu(text: string): boolean {
  return /^\d{22}$/.test(text) && isRight(text.slice(0, 8), BANK) && isRight(text.slice(8), ACCOUNT);
}

/**
 * Whether the text has the form of an alias of such an account: 6 to 20 letters without accents, digits, full stops and hyphens.
 *
 * @example isCbuAlias('mesa.rio.luna') // true
 */
export function isCbuAlias(text: string): boolean {
  return /^[A-Za-z0-9.-]{6,20}$/.test(text);
}
