/**
 * Two functions are called upper-casing in the clients of this protocol: one changes only a-z, the other every letter
 * that has a capital. They differ as soon as a description is not plain English.
 */
export type UpperCaseDialect = 'ascii' | 'unicode';

export const upperCaseDialects: readonly UpperCaseDialect[] = ['ascii', 'unicode'];

export const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** @example upperCase('Straße', 'ascii') // 'STRAßE'; with 'unicode' 'STRASSE' */
export function upperCase(text: string, dialect: UpperCaseDialect): string {
  if (dialect === 'unicode' || isAscii(text)) return text.toUpperCase();
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
