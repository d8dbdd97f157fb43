/** How a provider counts a text: Java, JavaScript and .NET count units of UTF-16; characters are code points. */
type Unit = 'utf-16' | 'characters';

const LENGTH: Readonly<Record<Unit, (text: string) => number>> = {
  'utf-16': (text) => text.length,
  characters: (text) => Array.from(text).length,
};

/** A sign with its marks, and emoji that are joined to one: what a reader sees as one, near enough (Unicode, UAX 29). */
const SIGN = /\P{M}(?:\p{M}|\p{Emoji_Modifier}|\u200D\P{M})*/gu;

/**
 * As much of a text as a provider takes, counted as that provider counts. What a reader sees as one sign stays whole or is left out.
 *
 * @example atMost(payment.order.description, 127, 'utf-16')
 */
export function atMost(text: string, max: number, unit: Unit): string {
  if (LENGTH[unit](text) <= max) return text;
  let kept = '';
  let left = max;
  for (const sign of text.match(SIGN) ?? []) {
    left -= LENGTH[unit](sign);
    if (left < 0) break;
    kept += sign;
  }
  return kept;
}
