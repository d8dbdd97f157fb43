/**
 * Codes of one length, from a text that writes all codes with the same first letter as one word. A page that validates carries these tables; lower case
 * is what the rest of its text is in, so it packs better too.
 *
 * @example foldedCodes(2, 'adef bab') // ['AD', 'AE', 'AF', 'BA', 'BB']
 */
export function foldedCodes(length: number, text: string): readonly string[] {
  const rest = new RegExp(`.{${length - 1}}`, 'g');
  const words = text.toUpperCase().split(/\s/);
  return words.flatMap((word) => (word.slice(1).match(rest) ?? []).map((each) => word.charAt(0) + each));
}
