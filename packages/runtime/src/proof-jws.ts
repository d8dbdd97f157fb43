import { constants, type KeyObject, verify } from 'node:crypto';
import type { JwsAlgorithm, JwsProof, ProofKey } from '@railyard/core/driver';
import { hmac } from './hmac.ts';
import { decoded, publicKeyOf, sameBytes } from './proof-signature.ts';

/** A detached JWS as it is read, before anything of it is believed. */
export interface ReadJws {
  readonly algorithm: JwsAlgorithm;
  readonly kid: string;
  readonly header: ReadonlyMap<string, unknown>;
  /** Whether the header is text that the proof understands: RFC 7515, 4.1.11. */
  readonly unencoded: boolean;
  readonly protectedText: string;
  readonly signature: Uint8Array;
}

/** `header..signature`, of an algorithm that may sign, and with nothing critical in its header that the proof does not know. */
export function readJws(
  { algorithms, timestamp }: JwsProof<unknown>,
  claims: Readonly<Record<string, string>>,
  text: string,
): ReadJws | undefined {
  const [protectedText = '', written = '', ...more] = text.split('..');
  const signature = more.length === 0 ? decoded(written, 'base64url') : undefined;
  const header = protectedHeader(protectedText);
  const algorithm = algorithms.find((each) => each === header?.get('alg'));
  const kid = header?.get('kid');
  if (header === undefined || signature === undefined || algorithm === undefined || typeof kid !== 'string')
    return undefined;
  const understood = new Set(['b64', ...Object.keys(claims), ...(timestamp === undefined ? [] : [timestamp.claim])]);
  const critical = header.has('crit') ? header.get('crit') : [];
  if (!Array.isArray(critical) || (header.has('crit') && critical.length === 0)) return undefined;
  if (!critical.every((name: unknown) => typeof name === 'string' && understood.has(name) && header.has(name)))
    return undefined;
  const b64 = header.get('b64');
  // RFC 7797, 3 and 6: a Boolean, and critical.
  if (header.has('b64') && (typeof b64 !== 'boolean' || !critical.includes('b64'))) return undefined;
  if (Object.entries(claims).some(([name, value]) => value === '' || header.get(name) !== value)) return undefined;
  return { algorithm, kid, header, unencoded: b64 === false, protectedText, signature };
}

function protectedHeader(text: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? new Map(Object.entries(value))
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the JWS signs the payload by the key. Nothing: the key is none of its algorithm. */
export function isSignedBy(
  { algorithm, unencoded, protectedText, signature }: ReadJws,
  key: ProofKey,
  payload: Uint8Array,
): boolean | undefined {
  const text = Buffer.concat([
    Buffer.from(`${protectedText}.`),
    unencoded ? payload : Buffer.from(Buffer.from(payload).toString('base64url')),
  ]);
  const digest = `sha${algorithm.slice(2)}`;
  if (algorithm.startsWith('HS'))
    return key.length === 0 ? undefined : sameBytes(hmac(digest, key).update(text).digest(), signature);
  const own = publicKeyOf(key);
  if (own === undefined || !fits(own, algorithm)) return undefined;
  if (algorithm === 'EdDSA') return verify(undefined, text, own, signature);
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  const how = algorithm.startsWith('PS')
    ? pss
    : algorithm.startsWith('ES')
      ? { dsaEncoding: 'ieee-p1363' as const }
      : {};
  return verify(digest, text, { key: own, ...how }, signature);
}

/** The curve of each ECDSA algorithm: RFC 7518, 3.4. */
const CURVES: Readonly<Record<string, string>> = { ES256: 'prime256v1', ES384: 'secp384r1', ES512: 'secp521r1' };

function fits({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject, algorithm: JwsAlgorithm) {
  if (algorithm === 'EdDSA') return type === 'ed25519' || type === 'ed448';
  if (algorithm.startsWith('ES')) return details?.namedCurve === CURVES[algorithm];
  return type === 'rsa' || (type === 'rsa-pss' && algorithm.startsWith('PS'));
}
