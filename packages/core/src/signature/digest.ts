// The protocol signs with SHA-1 over a hex MD5 (protocol: Authentication). Both are unfit for new designs, so this is
// the only module that names them; everything else asks for an inner digest by the name of the mapping's setting.
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** The digest under the outer one; a mapping setting chooses it. */
export type InnerDigest = 'md5' | 'sha256';

/** The mapping's setting; with `both` either is accepted. */
export type DigestSetting = InnerDigest | 'both';

export const innerDigests: readonly InnerDigest[] = ['md5', 'sha256'];

export const defaultDigest: InnerDigest = 'md5';

/** Lower-case hex of the digest of bytes, or of a text's UTF-8. */
export type HashHex = (algorithm: 'md5' | 'sha1' | 'sha256', data: string | Uint8Array) => string;

const functions = { md5, sha1, sha256 };

/** Runs everywhere. Node's own is ten times as fast, but a browser has none of it. */
export const portableHash: HashHex = (algorithm, data) =>
  bytesToHex(functions[algorithm](typeof data === 'string' ? utf8ToBytes(data) : data));

/** Lower-case hex of the signature of a text that is already upper-cased: 40 characters. */
export function signatureHex(text: string, digest: InnerDigest, hash: HashHex = portableHash): string {
  return hash('sha1', hash(digest, text));
}
