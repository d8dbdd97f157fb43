import { createHash, createSign } from 'node:crypto';
import type { SignedParts, Signing, SigningMoment } from '@railyard/core/driver';
import { hmac } from './hmac.ts';
import { detachedJws, signedJwt } from './jose.ts';

/** The signature of a request, as its declaration says. */
export function computeSignature(signing: Signing, parts: SignedParts, moment: SigningMoment): string {
  if (signing.scheme === 'jws') return detachedJws(signing, parts, moment);
  if (signing.scheme === 'jwt') return signedJwt(signing, parts, moment);
  const text = signing.over(parts, moment);
  if (signing.scheme === 'hmac')
    return hmac(signing.algorithm, signing.key).update(text, 'utf8').digest(signing.encoding);
  if (signing.scheme === 'digest') return createHash(signing.algorithm).update(text, 'utf8').digest(signing.encoding);
  return createSign(signing.algorithm.toUpperCase()).update(text, 'utf8').sign(signing.key, signing.encoding);
}
