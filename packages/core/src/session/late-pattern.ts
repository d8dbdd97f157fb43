/**
 * A pattern that is made when a text is first compared with it. The classes of Unicode (`\p{…}`) take a millisecond to read, also where they
 * stand in a function that is not called, and every process loads the fields of an address whether it meets one of letters beyond ASCII or
 * not (docs/decisions/0136).
 *
 * @example const word = latePattern(String.raw`^\p{L}+$`, 'u'); word.test('é') // true
 */
export function latePattern(source: string, flags: string): Pick<RegExp, 'test'> {
  let made: RegExp | undefined;
  return { test: (text) => (made ??= new RegExp(source, flags)).test(text) };
}
