import { constants, createHash, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { listOf, type ProofKey, type SignatureProof, type SignedText } from '@railyard/core/driver';
import { hmac } from './hmac.ts';

type Algorithm = Pick<SignatureProof<unknown>, 'scheme'> & {
  readonly algorithm?: string;
  readonly padding?: 'pkcs1' | 'pss';
  readonly format?: 'der' | 'raw';
};

/** Whether bytes are a signature of a text. */
export type Verifier = (text: Uint8Array, signature: Uint8Array) => boolean;

/** The verifiers of those keys that can be read; an empty secret is none, because anybody can sign with it. */
export function verifiersOf(algorithm: Algorithm, keys: readonly ProofKey[]): readonly Verifier[] {
  return keys.flatMap((key) => {
    const made = key.length === 0 ? undefined : verifierOf(algorithm, key);
    return made === undefined ? [] : [made];
  });
}

function verifierOf({ scheme, algorithm, padding, format }: Algorithm, key: ProofKey): Verifier | undefined {
  if (scheme === 'hmac')
    return (text, signature) =>
      sameBytes(
        hmac(algorithm ?? '', key)
          .update(text)
          .digest(),
        signature,
      );
  if (scheme === 'digest')
    return (text, signature) =>
      sameBytes(
        createHash(algorithm ?? '')
          .update(text)
          .digest(),
        signature,
      );
  const own = publicKeyFor(scheme, key);
  if (own === undefined) return undefined;
  if (scheme === 'ed25519') return (text, signature) => verify(undefined, text, own, signature);
  const how =
    scheme === 'ecdsa'
      ? { dsaEncoding: format === 'raw' ? ('ieee-p1363' as const) : ('der' as const) }
      : padding === 'pss'
        ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
        : {};
  return (text, signature) => verify(algorithm, text, { key: own, ...how }, signature);
}

/** The curve that each scheme's keys are of. */
const FITS: Readonly<Record<string, (key: KeyObject) => boolean>> = {
  rsa: ({ asymmetricKeyType: type }) => type === 'rsa' || type === 'rsa-pss',
  ecdsa: ({ asymmetricKeyDetails: details }) => details?.namedCurve === 'prime256v1',
  ed25519: ({ asymmetricKeyType: type }) => type === 'ed25519',
};

function publicKeyFor(scheme: string, key: ProofKey): KeyObject | undefined {
  const read = publicKeyOf(key);
  return read !== undefined && FITS[scheme]?.(read) === true ? read : undefined;
}

/** Of an Ed25519 key the bare 32 bytes, before which its DER has these: RFC 8410, 10.1. */
const ED25519_DER = Buffer.from('302a300506032b6570032100', 'hex');

/** A public key or a certificate in PEM, or a public key in DER. A private key is none. */
export function publicKeyOf(key: ProofKey): KeyObject | undefined {
  try {
    if (typeof key === 'string') return key.includes('PRIVATE KEY') ? undefined : createPublicKey(key);
    const der = key.length === 32 ? Buffer.concat([ED25519_DER, key]) : Buffer.from(key);
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** The bytes of an encoded signature; nothing where the text is not written so, to the last letter. */
export function decoded(text: string, encoding: SignatureProof<unknown>['encoding']): Uint8Array | undefined {
  const bytes = Buffer.from(text, encoding);
  const written = bytes.toString(encoding);
  if (encoding === 'hex') return bytes.length > 0 && text.toLowerCase() === written ? bytes : undefined;
  // Letters that say nothing would let one signature be written in several ways; padding may be there or not.
  const [letters = '', ...padding] = text.split('=');
  return letters !== '' && letters === written.split('=')[0] && padding.join('') === '' && padding.length <= 2
    ? bytes
    : undefined;
}

/** The bytes that are signed. */
export function signedBytes(text: SignedText): Uint8Array {
  const parts = listOf(text).map((part) =>
    typeof part === 'string' || part instanceof Uint8Array
      ? part
      : createHash(part.digest).update(part.of).digest(part.encoding),
  );
  const [first] = parts;
  return parts.length === 1 && first instanceof Uint8Array
    ? first
    : Buffer.concat(parts.map((part) => Buffer.from(part)));
}

/** Constant time for bytes of one length; the length of a signature is no secret. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}
