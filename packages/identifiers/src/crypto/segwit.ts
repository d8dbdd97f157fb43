import { bech32, bech32m } from './libraries.ts';
import { type AddressFailure, refused } from './result.ts';

/** A text of BIP-173 (`bech32`) or BIP-350 (`bech32m`): the two differ in the constant of their checksum. */
export interface Bech32Text {
  readonly ok: true;
  readonly encoding: 'bech32' | 'bech32m';
  readonly prefix: string;
  readonly words: readonly number[];
}

/** A witness program, as a script carries it. */
export interface SegwitProgram {
  readonly ok: true;
  readonly prefix: string;
  readonly version: number;
  readonly program: Uint8Array;
}

/** `prefix1data`: printable prefix, then at least the six characters of the checksum; 90 characters at most, in one case. */
const SHAPE = /^(?=.{8,90}$)[!-~]{1,83}1[02-9ac-hj-np-z]{6,}$/;

export function readBech32(text: string): Bech32Text | AddressFailure {
  const lower = text.toLowerCase();
  if ((text !== lower && text !== text.toUpperCase()) || !SHAPE.test(lower)) return refused('format');
  for (const [encoding, coder] of [
    ['bech32', bech32],
    ['bech32m', bech32m],
  ] as const) {
    const decoded = coder.decodeUnsafe(lower);
    if (decoded) return { ok: true, encoding, prefix: decoded.prefix, words: decoded.words };
  }
  return refused('checksum');
}

/** Version 0 is written in bech32 and has 20 or 32 bytes; versions 1 to 16 are written in bech32m and have 2 to 40 (BIP-350). */
export function readSegwit(text: string): SegwitProgram | AddressFailure {
  const read = readBech32(text);
  if (!read.ok) return read;
  const [version, ...rest] = read.words;
  const program = bech32.fromWordsUnsafe(rest);
  if (version === undefined || version > 16 || !program) return refused('format');
  if (read.encoding !== (version === 0 ? 'bech32' : 'bech32m')) return refused('checksum');
  const { length } = program;
  const fits = version === 0 ? length === 20 || length === 32 : length >= 2 && length <= 40;
  return fits ? { ok: true, prefix: read.prefix, version, program } : refused('format');
}
