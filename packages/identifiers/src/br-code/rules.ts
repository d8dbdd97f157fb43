import { hasHostFormat } from '../internet-names.ts';
import { parsePixKey, toDirectoryKey, type PixKeyType } from '../pix-key.ts';

/** The identifier of the arrangement; upper and lower case are the same (BR Code manual). */
export const PIX_GUI = 'br.gov.bcb.pix';

/** Says that the code has no transaction id of its own. */
export const NO_TXID = '***';

/** The kind of a key written as the directory writes it, or `undefined` for anything else. */
export function directoryKeyType(text: string): PixKeyType | undefined {
  const parsed = parsePixKey(text);
  return parsed.ok && toDirectoryKey(parsed) === text ? parsed.type : undefined;
}

/**
 * The host of an address written as host and path without a scheme, so that two can be compared, or `undefined`. The
 * 77 characters that an address and a key may have need no check: more do not fit beside the arrangement's identifier.
 */
export function hostOf(url: string): string | undefined {
  if (!/^[!-~]+$/.test(url)) return undefined;
  const slash = url.indexOf('/');
  const host = url.slice(0, Math.max(slash, 0));
  return hasHostFormat(host) && slash < url.length - 1 ? host.toLowerCase() : undefined;
}

/**
 * The amount as a plain decimal string, or `undefined`. EMV allows leading zeros and a point without decimals; both
 * are taken off here, because the protocol's amounts have neither.
 */
export function readAmount(text: string): string | undefined {
  const match = /^(\d+)(?:\.(\d{0,2}))?$/.exec(text);
  if (match === null || text.length > 13) return undefined;
  const whole = (match[1] ?? '').replace(/^0+(?=\d)/, '');
  const decimals = match[2] ?? '';
  return decimals === '' ? whole : `${whole}.${decimals}`;
}

export function isZero(amount: string): boolean {
  return !/[1-9]/.test(amount);
}

/**
 * Letters and digits, 1 to 25, or `***`. Where another arrangement shares the code, 62-05 belongs to that one too and
 * may hold what EMV allows: the BR Code manual's own example has a hyphen there.
 */
export function isTxid(text: string, shared: boolean): boolean {
  return text === NO_TXID || (shared ? /^[ -~]{1,25}$/.test(text) : /^[A-Za-z0-9]{1,25}$/.test(text));
}

/** An institution's number may hold letters since the alphanumeric CNPJ (Pix API 2.9.0). */
export function isIspb(text: string): boolean {
  return /^[0-9A-Z]{8}$/.test(text);
}

export function hasLength(text: string, max: number): boolean {
  const length = Array.from(text).length;
  return length >= 1 && length <= max;
}
