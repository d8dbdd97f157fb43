import { constants, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type {
  JwsAlgorithm,
  JwsSigning,
  JwtSigning,
  RequestObject,
  SignedParts,
  SigningMoment,
} from '@railyard/core/driver';
import { hmac } from './hmac.ts';

/** `header..signature`: RFC 7515, appendix F; unencoded by RFC 7797. */
export function detachedJws(signing: JwsSigning, parts: SignedParts, moment: SigningMoment): string {
  const { algorithm, key, over, unencoded = false } = signing;
  const own = signing.header?.(moment) ?? {};
  const critical = [own.crit ?? []].flat();
  const header = { ...own, alg: algorithm, ...(unencoded && { b64: false, crit: [...critical, 'b64'] }) };
  const payload = over === undefined ? parts.body : over(parts, moment);
  const head = inBase64(JSON.stringify(header));
  return `${head}..${signatureOf(algorithm, key, `${head}.${unencoded ? payload : inBase64(payload)}`)}`;
}

type Claims = Readonly<Record<string, unknown>>;

/** A compact JWT: RFC 7519. */
export function signedJwt(signing: JwtSigning, parts: SignedParts, moment: SigningMoment): string {
  return compactJwt(signing, signing.header?.(moment) ?? {}, signing.claims(moment, parts));
}

/** FAPI 1.0 Advanced, 5.2.2: a request object lives for no longer than an hour. */
const REQUEST_OBJECT_SECONDS = 3600;

/** The parameters of an authorisation as a JWT: RFC 9101. */
export function signedRequest(signing: RequestObject, fields: Claims, { now, id }: SigningMoment): string {
  const times = { iat: now, nbf: now, exp: now + REQUEST_OBJECT_SECONDS };
  return compactJwt(signing, { kid: signing.keyId }, { ...fields, ...signing.claims, ...times, jti: id, nonce: id });
}

function compactJwt({ algorithm, key }: Pick<JwtSigning, 'algorithm' | 'key'>, own: Claims, claims: Claims): string {
  const header = { typ: 'JWT', ...own, alg: algorithm };
  const text = `${inBase64(JSON.stringify(header))}.${inBase64(JSON.stringify(claims))}`;
  return `${text}.${signatureOf(algorithm, key, text)}`;
}

const inBase64 = (text: string) => Buffer.from(text).toString('base64url');

/** RFC 7518, 3: PSS with a salt as long as the digest, ECDSA as two numbers side by side. */
function signatureOf(algorithm: JwsAlgorithm, key: string, text: string): string {
  const digest = `sha${algorithm.slice(2)}`;
  if (algorithm.startsWith('HS')) return hmac(digest, key).update(text).digest('base64url');
  const data = Buffer.from(text);
  const own = privateKey(algorithm, key);
  if (algorithm === 'EdDSA') return sign(undefined, data, own).toString('base64url');
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return sign(digest, data, {
    key: own,
    ...(algorithm.startsWith('PS') && pss),
    ...(algorithm.startsWith('ES') && { dsaEncoding: 'ieee-p1363' as const }),
  }).toString('base64url');
}

/** The curve of each ECDSA algorithm: RFC 7518, 3.4. */
const CURVES: Readonly<Record<string, string>> = { ES256: 'prime256v1', ES384: 'secp384r1', ES512: 'secp521r1' };

/** @throws Error where the setting holds no key of the algorithm; it says nothing of the setting's text */
function privateKey(algorithm: JwsAlgorithm, pem: string): KeyObject {
  const found = readKey(pem);
  const kind = algorithm === 'EdDSA' ? /^ed/ : algorithm.startsWith('ES') ? /^ec$/ : /^rsa/;
  const fits =
    found !== undefined &&
    kind.test(found.asymmetricKeyType ?? '') &&
    (CURVES[algorithm] ?? found.asymmetricKeyDetails?.namedCurve) === found.asymmetricKeyDetails?.namedCurve;
  if (!fits) throw new Error(`A signature by ${algorithm} needs a private key for it in PEM. Check the setting.`);
  return found;
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
