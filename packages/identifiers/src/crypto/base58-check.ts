import { base58, createBase58check, sha256 } from './libraries.ts';
import { type AddressFailure, refused } from './result.ts';

const base58check = createBase58check(sha256);

/** A version byte and a hash of 20 bytes, as Bitcoin, Bitcoin Cash and TRON write addresses. */
export interface Base58Address {
  readonly ok: true;
  readonly version: number;
  readonly hash: Uint8Array;
}

/** The longest text of 25 bytes; a longer one is not decoded, whose cost grows with the square of its length. */
const LONGEST = 35;
const BYTES = 25;

/** Reads version, hash and four bytes of checksum. */
export function readBase58Address(text: string): Base58Address | AddressFailure {
  if (!/^[1-9A-HJ-NP-Za-km-z]+$/.test(text) || text.length > LONGEST) return refused('format');
  if (base58.decode(text).length !== BYTES) return refused('format');
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch {
    return refused('checksum');
  }
  const [version = 0] = bytes;
  return { ok: true, version, hash: bytes.slice(1) };
}
