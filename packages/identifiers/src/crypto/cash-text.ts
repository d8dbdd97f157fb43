import { bech32 } from './libraries.ts';
import { type AddressFailure, refused } from './result.ts';

/** The payload of a cash address: what the hash is of, and the hash. */
export interface CashPayload {
  readonly ok: true;
  readonly prefix: string;
  /** 0: a key. 1: a script. */
  readonly type: number;
  readonly hash: Uint8Array;
}

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CHECKSUM_WORDS = 8;
const SIZES = [20, 24, 28, 32, 40, 48, 56, 64];
/** The generator of the BCH code (cash address specification, Checksum). */
const GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];
const LOW_BITS = (1n << 35n) - 1n;

function remainder(words: readonly number[]): bigint {
  let sum = 1n;
  for (const word of words) {
    const top = sum >> 35n;
    sum = ((sum & LOW_BITS) << 5n) ^ BigInt(word);
    for (const [bit, generator] of GENERATORS.entries()) if (((top >> BigInt(bit)) & 1n) === 1n) sum ^= generator;
  }
  return sum ^ 1n;
}

/** The five-bit words of `prefix:payload` without its checksum; nothing where the checksum is wrong. Both in lower case. */
export function cashWords(prefix: string, payload: string): readonly number[] | undefined {
  const words = Array.from(payload, (character) => ALPHABET.indexOf(character));
  const expanded = [...Array.from(prefix, (character) => character.charCodeAt(0) & 31), 0, ...words];
  if (words.includes(-1) || words.length < CHECKSUM_WORDS || remainder(expanded) !== 0n) return undefined;
  return words.slice(0, -CHECKSUM_WORDS);
}

/** Longer than the longest hash of the specification. */
const LONGEST = 150;

/** Reads `prefix:payload` in one case. */
export function readCashText(text: string): CashPayload | AddressFailure {
  const lower = text.toLowerCase();
  const [, prefix, payload] = /^([a-z]+):([02-9ac-hj-np-z]+)$/.exec(lower) ?? [];
  if (prefix === undefined || payload === undefined || text.length > LONGEST) return refused('format');
  if (text !== lower && text !== text.toUpperCase()) return refused('format');
  const words = cashWords(prefix, payload);
  if (words === undefined) return refused('checksum');
  // Five-bit words become bytes as in bech32: what is left over must be zero.
  const bytes = bech32.fromWordsUnsafe([...words]);
  if (!bytes) return refused('format');
  const [version = 0, ...hash] = bytes;
  // The first bit of the version is reserved; three bits say how long the hash is.
  if (version > 127 || SIZES[version & 7] !== hash.length) return refused('format');
  return { ok: true, prefix, type: version >> 3, hash: Uint8Array.from(hash) };
}
