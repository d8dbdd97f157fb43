import { brazilianCheckDigit, isOneCharacterRepeated } from './brazilian-check-digit.ts';
import { withoutSeparators } from './separators.ts';

/**
 * `format`: not twelve of 0-9 and A-Z followed by two digits. `checksum`: wrong check digits, or one digit fourteen
 * times. `alphanumeric` marks a number with letters, which a provider may not take yet.
 */
export type CnpjCheck =
  | { ok: true; cnpj: string; alphanumeric: boolean }
  | { ok: false; reason: 'format' | 'checksum' };

const FIRST_WEIGHTS = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const SECOND_WEIGHTS = [6, ...FIRST_WEIGHTS];

/**
 * Checks a CNPJ in the form in which it travels: fourteen characters, letters in upper case. A number as people write
 * it goes through `normaliseCnpj` first.
 *
 * Since July 2026 the first twelve positions may hold letters; a character counts its ASCII code less 48, and the two
 * check digits stay digits (Receita Federal, IN RFB 2229/2024). Numbers of digits only are checked as ever.
 *
 * @example checkCnpj('12ABC34501DE35') // { ok: true, cnpj: '12ABC34501DE35', alphanumeric: true }
 */
export function checkCnpj(text: string): CnpjCheck {
  if (!/^[0-9A-Z]{12}\d{2}$/.test(text)) return { ok: false, reason: 'format' };
  const values = Array.from(text, (character) => character.charCodeAt(0) - 48);
  const right =
    brazilianCheckDigit(values, FIRST_WEIGHTS) === values[12] &&
    brazilianCheckDigit(values, SECOND_WEIGHTS) === values[13];
  if (!right || isOneCharacterRepeated(text)) return { ok: false, reason: 'checksum' };
  return { ok: true, cnpj: text, alphanumeric: /[A-Z]/.test(text) };
}

/** Whether the text is a CNPJ, of digits or with letters, with right check digits. */
export function isCnpj(text: string): boolean {
  return checkCnpj(text).ok;
}

/**
 * Removes white space, full stops, slashes and dashes, and puts a-z in upper case. Letters are never removed: since
 * July 2026 they are part of the number.
 *
 * @example normaliseCnpj('12.abc.345/01de-35') // '12ABC34501DE35'
 */
export function normaliseCnpj(text: string): string {
  // Only a-z: the general upper-casing turns letters such as U+017F into ASCII ones and would repair a wrong number.
  return withoutSeparators(text).replace(/[a-z]/g, (letter) => letter.toUpperCase());
}
