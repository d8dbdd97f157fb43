import { createHash, createHmac, createSign } from 'node:crypto';
import type { SignedParts, Signing } from '@railyard/core/driver';

/** The signature of a request, as its declaration says. */
export function computeSignature(signing: Signing, parts: SignedParts): string {
  const text = signing.over(parts);
  if (signing.scheme === 'hmac')
    return createHmac(signing.algorithm, signing.key).update(text, 'utf8').digest(signing.encoding);
  if (signing.scheme === 'digest') return createHash(signing.algorithm).update(text, 'utf8').digest(signing.encoding);
  return createSign(signing.algorithm.toUpperCase()).update(text, 'utf8').sign(signing.key, signing.encoding);
}
