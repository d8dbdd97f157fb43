import { checkCnpj } from './cnpj.ts';
import { checkCpf } from './cpf.ts';
import { hasEmailFormat } from './internet-names.ts';

export type PixKeyType = 'cpf' | 'cnpj' | 'phone' | 'email' | 'evp';

/**
 * A Pix key whose format is right. `key` is the form to send to a provider: digits of a CPF or CNPJ, the phone number
 * as 13 digits with country code and no plus, the e-mail and the random key in lower case. `checksum` is a separate
 * matter, because published samples fail it: `none` where the kind has no check digits.
 */
export interface PixKey {
  type: PixKeyType;
  key: string;
  checksum: 'valid' | 'invalid' | 'none';
}

export type PixKeyFault = 'empty' | 'email-format' | 'email-too-long' | 'phone-format' | 'unknown-format';

export type PixKeyResult = ({ ok: true } & PixKey) | { ok: false; reason: PixKeyFault };

/** Longest key of each kind in characters (protocol: Pix-style payout), and the longest that a BR Code can carry. */
export const pixKeyLengths = { cpf: 11, cnpj: 14, phone: 13, email: 180, evp: 36, brCode: 77 } as const;

const EVP = /^[0-9a-f]{32}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Reads a Pix key and says which kind it is. Punctuation and white space are refused: the directory looks keys up
 * exactly. Eleven digits are a CPF, never a phone number, because phone numbers carry their country code here.
 *
 * @example parsePixKey('+5511912345684') // { ok: true, type: 'phone', key: '5511912345684', checksum: 'none' }
 * @example parsePixKey('+551191234') // { ok: false, reason: 'phone-format' }
 */
export function parsePixKey(text: string): PixKeyResult {
  if (text === '') return { ok: false, reason: 'empty' };
  if (text.includes('@')) return readEmail(text);
  if (text.startsWith('+')) return readPhone(text.slice(1));
  if (/^\d{11}$/.test(text)) return { ok: true, type: 'cpf', key: text, checksum: checksumOf(checkCpf(text).ok) };
  if (/^\d{12,13}$/.test(text)) return readPhone(text);
  if (/^[0-9A-Za-z]{12}\d{2}$/.test(text)) {
    const key = text.toUpperCase();
    return { ok: true, type: 'cnpj', key, checksum: checksumOf(checkCnpj(key).ok) };
  }
  return readRandomKey(text);
}

/**
 * The key as the Pix directory and the BR Code write it: a phone number takes its plus back, the rest stays.
 *
 * @example toDirectoryKey({ type: 'phone', key: '5511912345684' }) // '+5511912345684'
 */
export function toDirectoryKey(pixKey: Pick<PixKey, 'type' | 'key'>): string {
  return pixKey.type === 'phone' ? `+${pixKey.key}` : pixKey.key;
}

function readEmail(text: string): PixKeyResult {
  if (text.length > pixKeyLengths.email) return { ok: false, reason: 'email-too-long' };
  if (!hasEmailFormat(text)) return { ok: false, reason: 'email-format' };
  return { ok: true, type: 'email', key: text.toLowerCase(), checksum: 'none' };
}

/** Country code and national length only: numbers are portable, and providers' sandbox numbers break finer rules. */
function readPhone(digits: string): PixKeyResult {
  if (!/^55\d{11}$/.test(digits)) return { ok: false, reason: 'phone-format' };
  return { ok: true, type: 'phone', key: digits, checksum: 'none' };
}

/** A random key is a UUID; without its hyphens it is still the same key. Version and variant are not looked at. */
function readRandomKey(text: string): PixKeyResult {
  const lower = text.toLowerCase();
  if (!EVP.test(lower)) return { ok: false, reason: 'unknown-format' };
  const hex = lower.replaceAll('-', '');
  const key = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  return { ok: true, type: 'evp', key, checksum: 'none' };
}

function checksumOf(right: boolean): 'valid' | 'invalid' {
  return right ? 'valid' : 'invalid';
}
