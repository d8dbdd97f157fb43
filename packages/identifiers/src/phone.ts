/** How the mobile numbers of a country are written: its calling code, and how many digits follow. */
export interface PhoneFormat {
  readonly callingCode: string;
  readonly digits: number;
}

/**
 * By ISO 3166-1 alpha-2. Source: the numbering plans as libphonenumber keeps them. Prefixes of operators are left out on purpose:
 * numbers are portable, and wallets without a network have none.
 */
export const phoneFormats: Readonly<Record<PhoneCountry, PhoneFormat>> = {
  BJ: { callingCode: '229', digits: 10 },
  CI: { callingCode: '225', digits: 10 },
  CM: { callingCode: '237', digits: 9 },
  EG: { callingCode: '20', digits: 10 },
  GH: { callingCode: '233', digits: 9 },
  KE: { callingCode: '254', digits: 9 },
  TG: { callingCode: '228', digits: 8 },
  TZ: { callingCode: '255', digits: 9 },
  UG: { callingCode: '256', digits: 9 },
};

export type PhoneCountry = 'BJ' | 'CI' | 'CM' | 'EG' | 'GH' | 'KE' | 'TG' | 'TZ' | 'UG';

/** E.164 has at most 15 digits with the calling code, which never begins with a zero; no mobile number has fewer than eight. */
const E164 = /^\+[1-9]\d{7,14}$/;

/**
 * Whether a text is a number in E.164. What people write is none of this package: which number it is depends on a country.
 *
 * @example isE164('+254712345678') // true
 */
export function isE164(text: string): boolean {
  return E164.test(text);
}

/** Whether an E.164 number has the calling code of the country and as many digits as it has. */
export function isPhoneOf(country: PhoneCountry, e164: string): boolean {
  const { callingCode, digits } = phoneFormats[country];
  return e164.startsWith(`+${callingCode}`) && e164.length === 1 + callingCode.length + digits;
}

/** The form in which most providers take an E.164 number. @example withoutPlus('+254712345678') // '254712345678' */
export function withoutPlus(e164: string): string {
  return e164.replace(/^\+/, '');
}

/** Calling codes of one and of two digits; all others have three (ITU-T E.164, list of assigned codes). */
const CALLING_CODE = /^\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/**
 * A number that only its owner recognises, and in which the country is seen: the five digits before the last four are hidden.
 *
 * @example maskedPhone('+5511987654321') // '+55 11 •••••-4321'
 */
export function maskedPhone(e164: string): string {
  const [callingCode = ''] = CALLING_CODE.exec(e164) ?? [];
  const rest = e164.slice(callingCode.length);
  return [callingCode, rest.slice(0, -9), `${'•'.repeat(Math.min(5, rest.length - 4))}-${rest.slice(-4)}`]
    .filter((part) => part !== '')
    .join(' ');
}
