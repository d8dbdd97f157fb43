import { bytesToHex, keccak_256, utf8ToBytes } from './crypto/libraries.ts';
import { type AddressFailure, refused } from './crypto/result.ts';

export type { AddressFailure, AddressFault } from './crypto/result.ts';

/** An address of Ethereum and of the chains made after it; the text does not show which chain, nor whether it is a test one. */
export interface EvmAddress {
  readonly ok: true;
  /** With the capitals of EIP-55. */
  readonly address: string;
  /** `none`: the text was all lower case, which carries no checksum. */
  readonly checksum: 'valid' | 'none';
}

/**
 * Checks an EVM address. Capitals are a checksum (EIP-55): lower-case text carries none and is accepted, capitals that are not
 * those of the checksum are refused, also where all letters are capitals.
 *
 * @example checkEvmAddress('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed') // { ok: true, address: '0x5aAeb6…', checksum: 'none' }
 */
export function checkEvmAddress(text: string): EvmAddress | AddressFailure {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return refused('format');
  const lower = text.toLowerCase();
  const address = withCapitals(lower);
  if (text === address) return { ok: true, address, checksum: 'valid' };
  return text === lower ? { ok: true, address, checksum: 'none' } : refused('checksum');
}

/** A letter is a capital where the hash of the lower-case text has a digit above seven in its place. */
function withCapitals(lower: string): string {
  const digits = lower.slice(2);
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const written = Array.from(digits, (digit, at) => ((hash[at] ?? '') > '7' ? digit.toUpperCase() : digit));
  return `0x${written.join('')}`;
}
