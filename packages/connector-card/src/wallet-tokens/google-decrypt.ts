import {
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import * as z from 'zod';
import { base64 } from './bytes.ts';
import { isP256 } from './private-key.ts';
import { orRefuse, refuse } from './refusals.ts';

const sealedMessage = z.strictObject({ encryptedMessage: base64(), ephemeralPublicKey: base64(), tag: base64() });

/** The bytes before a point of P-256 in a certificate (SubjectPublicKeyInfo). */
const SPKI_OF_P256 = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');
const POINT_BYTES = 65;
const IV = Buffer.alloc(16);
/** Bytes of the symmetric key, and of the key of the MAC, by version. */
const KEY_BYTES = { ECv1: 16, ECv2: 32 } as const;

/** Decrypts a verified message with the first key whose MAC fits. */
export function decryptGoogleMessage(version: 'ECv1' | 'ECv2', message: string, keys: readonly KeyObject[]): string {
  const sealed = orRefuse('malformed', () => sealedMessage.parse(JSON.parse(message)));
  if (sealed.ephemeralPublicKey.length !== POINT_BYTES) refuse('malformed');
  const publicKey = orRefuse('malformed', () =>
    createPublicKey({ key: Buffer.concat([SPKI_OF_P256, sealed.ephemeralPublicKey]), format: 'der', type: 'spki' }),
  );
  if (keys.length === 0) refuse('unknown-key');
  for (const privateKey of keys) {
    const derived = derivedKeys(version, privateKey, publicKey, sealed.ephemeralPublicKey);
    const mac = createHmac('sha256', derived.mac).update(sealed.encryptedMessage).digest();
    if (sealed.tag.length !== mac.length || !timingSafeEqual(sealed.tag, mac)) continue;
    const decipher = createDecipheriv(version === 'ECv1' ? 'aes-128-ctr' : 'aes-256-ctr', derived.symmetric, IV);
    return decipher.update(sealed.encryptedMessage, undefined, 'utf8') + decipher.final('utf8');
  }
  return refuse('mac-wrong');
}

function derivedKeys(version: 'ECv1' | 'ECv2', privateKey: KeyObject, publicKey: KeyObject, point: Uint8Array) {
  if (!isP256(privateKey)) refuse('unknown-key');
  const secret = Buffer.concat([point, diffieHellman({ privateKey, publicKey })]);
  const bytes = KEY_BYTES[version];
  const keys = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(32), 'Google', bytes * 2));
  return { symmetric: keys.subarray(0, bytes), mac: keys.subarray(bytes) };
}
