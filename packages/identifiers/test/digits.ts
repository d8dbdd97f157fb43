import * as fc from '../../../test/support/properties.ts';

/** A string of so many decimal digits. */
export function digits(length: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
}

/** The stem with each of the hundred pairs of check digits that the given check accepts. */
export function completions(stem: string, accepts: (text: string) => boolean): string[] {
  return Array.from({ length: 100 }, (_, pair) => `${stem}${String(pair).padStart(2, '0')}`).filter(accepts);
}

export function replaceAt(text: string, at: number, character: string): string {
  return `${text.slice(0, at)}${character}${text.slice(at + 1)}`;
}
