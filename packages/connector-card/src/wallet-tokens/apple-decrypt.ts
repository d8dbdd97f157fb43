import {
  constants,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto';
import { sha256 } from './bytes.ts';
import { isP256, isRsa } from './private-key.ts';
import { orRefuse, refuse } from './refusals.ts';

const TAG_BYTES = 16;
/** Sixteen bytes of zero: the key is used once. */
const IV = Buffer.alloc(16);
const ROUND = Buffer.from([0, 0, 0, 1]);
/** With its length in front (NIST SP 800-56A, concatenation KDF). */
const ALGORITHM = Buffer.from('\u000Did-aes256-GCM', 'latin1');
const PARTY_U = Buffer.from('Apple', 'latin1');

/**
 * The symmetric key of a token of EC_v1: 32 bytes.
 *
 * @param ephemeral the sender's public key, as certificates carry keys
 * @param merchantIdHash SHA-256 of the merchant identifier
 */
export function agreedKey(privateKey: KeyObject, ephemeral: Uint8Array, merchantIdHash: Uint8Array): Buffer {
  const publicKey = orRefuse('malformed', () =>
    createPublicKey({ key: Buffer.from(ephemeral), format: 'der', type: 'spki' }),
  );
  if (!isP256(publicKey)) refuse('malformed');
  if (!isP256(privateKey)) refuse('unknown-key');
  return sha256(ROUND, diffieHellman({ privateKey, publicKey }), ALGORITHM, PARTY_U, merchantIdHash);
}

/** The symmetric key of a token of RSA_v1: 16 bytes. */
export function unwrappedKey(privateKey: KeyObject, wrapped: Uint8Array): Buffer {
  if (!isRsa(privateKey)) refuse('unknown-key');
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const key = orRefuse('not-decrypted', () =>
    privateDecrypt({ key: privateKey, padding, oaepHash: 'sha256' }, wrapped),
  );
  return key.length === 16 ? key : refuse('not-decrypted');
}

/** AES in GCM; the tag stands behind the data. */
export function decrypted(key: Uint8Array, sealed: Uint8Array): string {
  if (sealed.length <= TAG_BYTES) refuse('malformed');
  return orRefuse('not-decrypted', () => {
    const cipher = key.length === 32 ? 'aes-256-gcm' : 'aes-128-gcm';
    const decipher = createDecipheriv(cipher, key, IV, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return decipher.update(sealed.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  });
}
