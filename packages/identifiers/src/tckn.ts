import { weightedSum } from './weighted-sum.ts';

/**
 * Whether the text is an identity number of Türkiye (T.C. kimlik numarası): eleven digits, the first of which is not 0 and the last
 * two of which are check digits.
 *
 * @example isTckn('17291716060') // true
 */
export function isTckn(text: string): boolean {
  if (!/^[1-9]\d{10}$/.test(text)) return false;
  const tenth = weightedSum(text, [7, -1, 7, -1, 7, -1, 7, -1, 7]) % 10;
  const last =
    weightedSum(
      text,
      Array.from({ length: 10 }, () => 1),
    ) % 10;
  return (tenth + 10) % 10 === Number(text[9]) && last === Number(text[10]);
}
