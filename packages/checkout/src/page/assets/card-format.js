// The format of the entries in card fields, and the place of the caret afterwards.
import { BRANDS, codeOf, datePart, digitsOf, grouped, readExpiry } from '../../rules/browser/card-rules.js';

/** @typedef {import('./card-format.js').Typed} Typed */
/** @typedef {import('./card-format.js').Show} Show */

/** The longest number there is (ISO/IEC 7812). */
const MOST_DIGITS = 19;
const LONGEST_CODE = 4;

/** Groups of digits. Something that is no number, or is too long, stays as it was typed, so that the payer can correct it. @param {string} text */
export function shownNumber(text) {
  const digits = digitsOf(text);
  return /^\d*$/.test(digits) && digits.length <= MOST_DIGITS ? grouped(digits) : undefined;
}

/**
 * `MM / YY` or `MM / YYYY` as soon as the month is known, whatever mark was typed.
 *
 * @param {string} text
 * @param {string} inputType of the event
 */
export function shownExpiry(text, inputType) {
  const [month, year] = datePart(text) ?? [];
  if (month === undefined || year === undefined) {
    const whole = readExpiry(text);
    return whole && `${whole.month} / ${whole.year}`;
  }
  // A mark that was deleted stays away, and a month that is being typed anew has its second digit still to come.
  if (year === '' && isDeletion(inputType)) return month;
  if (year !== '' && month.length === 1 && inputType !== '' && inputType !== 'insertFromPaste') return undefined;
  return `${month.padStart(2, '0')} / ${year}`;
}

/** @param {string} inputType */
const isDeletion = (inputType) => inputType.startsWith('delete');

/** As many digits as the code of its network has. @param {string} text @param {string | undefined} brandName */
export function shownCode(text, brandName) {
  const code = codeOf(text);
  const length = BRANDS.find(({ name }) => name === brandName)?.cvv ?? LONGEST_CODE;
  return /^\d*$/.test(code) ? code.slice(0, length) : undefined;
}

/** @param {string} text */
const digitsIn = (text) => text.match(/\p{Nd}/gu)?.length ?? 0;

/**
 * A field after an edit. A separator comes back by itself, so who deletes one means the digit behind it.
 *
 * @param {Typed} typed
 * @param {string} before the text before the edit
 * @param {string} inputType of the event
 * @param {Show} show
 * @returns {Typed}
 */
export function afterEdit(typed, before, inputType, show) {
  const { text, caret } = withoutDigit(typed, before, inputType);
  const shown = show(text, inputType) ?? text;
  if (caret === text.length) return { text: shown, caret: shown.length };
  const left = digitsIn(text.slice(0, caret)) + digitsIn(shown) - digitsIn(text);
  let at = 0;
  for (let seen = 0; at < shown.length && seen < left; at += 1) if (/\p{Nd}/u.test(shown[at] ?? '')) seen += 1;
  return { text: shown, caret: shown === text ? caret : at };
}

/** @param {Typed} typed @param {string} before @param {string} inputType @returns {Typed} */
function withoutDigit({ text, caret }, before, inputType) {
  const isSeparator = /^[\d /]*$/.test(before) && digitsIn(text) === digitsIn(before);
  if (!isSeparator || text.length >= before.length) return { text, caret };
  const [left, right] = [text.slice(0, caret), text.slice(caret)];
  if (inputType === 'deleteContentBackward') {
    const kept = left.replace(/\d\D*$/, '');
    return { text: kept + right, caret: kept.length };
  }
  return inputType === 'deleteContentForward' ? { text: left + right.replace(/\d/, ''), caret } : { text, caret };
}
