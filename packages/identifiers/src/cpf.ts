import { brazilianCheckDigit, isOneCharacterRepeated } from './brazilian-check-digit.ts';
import { withoutSeparators } from './separators.ts';

/** `format`: not eleven digits. `checksum`: eleven digits whose check digits are wrong, or one digit eleven times. */
export type CpfCheck = { ok: true; cpf: string } | { ok: false; reason: 'format' | 'checksum' };

const FIRST_WEIGHTS = [10, 9, 8, 7, 6, 5, 4, 3, 2];
const SECOND_WEIGHTS = [11, ...FIRST_WEIGHTS];
/** The character code of the digit 0. */
const ZERO = 48;

/**
 * Checks a CPF in the form in which it travels: eleven digits and nothing else. A number as people write it goes
 * through `normaliseCpf` first, so that it is the caller who decides whether punctuation is welcome.
 *
 * @example checkCpf('39053344705') // { ok: true, cpf: '39053344705' }
 */
export function checkCpf(text: string): CpfCheck {
  if (!/^\d{11}$/.test(text)) return { ok: false, reason: 'format' };
  const digits: number[] = [];
  for (let at = 0; at < text.length; at += 1) digits.push(text.charCodeAt(at) - ZERO);
  const right =
    brazilianCheckDigit(digits, FIRST_WEIGHTS) === digits[9] &&
    brazilianCheckDigit(digits, SECOND_WEIGHTS) === digits[10];
  if (!right || isOneCharacterRepeated(text)) return { ok: false, reason: 'checksum' };
  return { ok: true, cpf: text };
}

/** Whether the text is eleven digits with right check digits. */
export function isCpf(text: string): boolean {
  return checkCpf(text).ok;
}

/**
 * Removes white space, full stops, slashes and dashes, and keeps everything else, so that what is not a CPF stays
 * visibly wrong.
 *
 * @example normaliseCpf('390.533.447-05') // '39053344705'
 */
export function normaliseCpf(text: string): string {
  return withoutSeparators(text);
}
