/**
 * A pattern that is made when the first text is compared with it. The classes of Unicode (`\p{…}`) take a millisecond to read, also where they
 * stand in a function that is not called, and every process loads the two patterns that have them (docs/decisions/0136).
 *
 * @example const word = latePattern(String.raw`^\p{L}+$`, 'u'); word.test('é') // true
 */
export function latePattern(source: string, flags: string): Pick<RegExp, 'test'> {
  let made: RegExp | undefined;
  return { test: (text) => (made ??= new RegExp(source, flags)).test(text) };
}
