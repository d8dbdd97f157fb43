import { equal } from '../signature/equal.ts';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** Present in every browser and in Node; declared here because this package is compiled without either's types. */
declare const atob: (base64: string) => string;
declare const btoa: (bytes: string) => string;

const PREFIX = 'whsec_';

/** The part of the Standard Webhooks headers that is signed. */
export interface SignedHeaders {
  readonly id: string;
  readonly timestamp: string;
}

/**
 * The signature that a secret makes over a message: `v1,` and Base64 (Standard Webhooks, symmetric).
 *
 * @param secret `whsec_` and Base64
 * @param hmacOf the platform's own, where there is a faster one
 * @throws RangeError, without the secret, for one that is not
 * @example webhookSignature(secret, { id: 'msg_1', timestamp: '1795219200' }, new TextEncoder().encode(body))
 */
export function webhookSignature(
  secret: string,
  headers: SignedHeaders,
  body: Uint8Array,
  hmacOf?: HmacBase64,
): string {
  return signatureOf(secret, signedBytes(headers, body), hmacOf);
}

const signedBytes = ({ id, timestamp }: SignedHeaders, body: Uint8Array) =>
  concatBytes(utf8ToBytes(`${id}.${timestamp}.`), body);

/** The HMAC-SHA256 of bytes in Base64. */
export type HmacBase64 = (key: Uint8Array, signed: Uint8Array) => string;

/** Runs everywhere; the platform's own is many times as fast for long bodies. */
const portableHmac: HmacBase64 = (key, signed) => btoa(String.fromCharCode(...hmac(sha256, key, signed)));

/** `v1,` and the Base64 of HMAC-SHA256. @throws RangeError, without the secret, for one that is not `whsec_` and Base64 */
export function signatureOf(secret: string, signed: Uint8Array, hmacOf: HmacBase64 = portableHmac): string {
  return `v1,${hmacOf(keyOf(secret), signed)}`;
}

/** Whether one of the signatures in a header was made by one of the secrets. Everything is compared to its end. */
export function hasSignature(
  header: string,
  secrets: readonly string[],
  headers: SignedHeaders,
  body: Uint8Array,
): boolean {
  return isMadeBy(header, secrets, signedBytes(headers, body));
}

/** Whether one of the signatures, with spaces between them, was made by one of the secrets over these bytes. */
export function isMadeBy(header: string, secrets: readonly string[], signed: Uint8Array, hmacOf?: HmacBase64): boolean {
  const expected = secrets.map((secret) => signatureOf(secret, signed, hmacOf));
  const given = header.split(' ');
  return expected.flatMap((each) => given.filter((one) => equal(each, one))).length > 0;
}

/** @throws RangeError, without the secret, for one that is not `whsec_` and Base64 */
function keyOf(secret: string): Uint8Array {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  if (!/^[A-Za-z0-9+/]{16,}={0,2}$/.test(text)) throw new RangeError('A callback secret is "whsec_" and Base64.');
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
