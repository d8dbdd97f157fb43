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

/** The characters that people put between the digits. */
const PUNCTUATION = /[ ().-]/g;

/** E.164 has at most 15 digits with the calling code, which never begins with a zero; no mobile number has fewer than eight. */
const E164 = /^\+[1-9]\d{7,14}$/;

/**
 * A number with its calling code as E.164, or nothing. The plus may be missing; white space and punctuation are refused.
 *
 * @example toE164('254712345678') // '+254712345678'
 */
export function toE164(text: string): string | undefined {
  const number = text.startsWith('+') ? text : `+${text}`;
  return E164.test(number) ? number : undefined;
}

/** A typed number without spaces, brackets, full stops and dashes. */
export function barePhone(text: string): string {
  return text.replaceAll(PUNCTUATION, '');
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

/** A number that only its owner recognises: its last three digits. @example maskedPhone('+254712345678') // '+••••678' */
export function maskedPhone(e164: string): string {
  return `+••••${e164.slice(-3)}`;
}
