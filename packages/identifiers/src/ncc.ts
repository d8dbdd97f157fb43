/** Digits of the national clearing code, by country (ISO 20022, external clearing system identification codes). */
export const nccDigits: Readonly<Record<string, { readonly min: number; readonly max: number }>> = {
  ES: { min: 8, max: 9 },
  HK: { min: 3, max: 3 },
  IE: { min: 6, max: 6 },
  IT: { min: 10, max: 10 },
  NZ: { min: 6, max: 6 },
  PT: { min: 8, max: 8 },
};

/** Letters and digits, at most as many as ISO 20022 has room for. */
const ANY = /^[0-9A-Za-z]{1,35}$/;

/**
 * Whether the text is a national clearing code of the country. Of a country that is not listed, or not known, any letters and digits are taken.
 *
 * @param country ISO 3166-1 alpha-2
 * @example isNcc('123456', 'NZ') // true
 */
export function isNcc(text: string, country?: string): boolean {
  const digits = country !== undefined && Object.hasOwn(nccDigits, country) ? nccDigits[country] : undefined;
  if (digits === undefined) return ANY.test(text);
  return /^\d+$/.test(text) && text.length >= digits.min && text.length <= digits.max;
}
