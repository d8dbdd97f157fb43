import { readBase58Address } from './crypto/base58-check.ts';
import { type AddressFailure, refused } from './crypto/result.ts';

export type { AddressFailure, AddressFault } from './crypto/result.ts';

/** An address of TRON; its test networks write the same. */
export interface TronAddress {
  readonly ok: true;
  readonly address: string;
}

const VERSION = 0x41;

/**
 * Checks a TRON address: base58check, 34 characters that begin with `T`.
 *
 * @example checkTronAddress('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t') // { ok: true, address: 'TR7N…' }
 */
export function checkTronAddress(text: string): TronAddress | AddressFailure {
  const read = readBase58Address(text);
  if (!read.ok) return read;
  return read.version === VERSION ? { ok: true, address: text } : refused('format');
}
