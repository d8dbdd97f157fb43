import { createHmac, createSecretKey, type Hmac, type KeyObject } from 'node:crypto';

/** By the secret: those of a deployment's MIDs and merchants, which are few. The oldest gives way. */
const keys = new Map<string, KeyObject>();
const MOST_KEYS = 1000;

/**
 * An HMAC by a secret. Of a secret's bytes Node makes a key for each HMAC, which takes it several times as long as to compute it (measured on Node
 * 24); so a secret's key is made once.
 *
 * @param secret text stands for its UTF-8
 * @throws Error for a digest that Node does not know
 * @example hmac('sha256', secret).update(text).digest('hex')
 */
export const hmac = (digest: string, secret: string | Uint8Array): Hmac => createHmac(digest, keyOf(secret));

function keyOf(secret: string | Uint8Array): KeyObject {
  const bytes = Buffer.from(secret);
  const name = bytes.toString('latin1');
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = createSecretKey(bytes);
  const [oldest] = keys.size < MOST_KEYS ? [] : keys.keys();
  if (oldest !== undefined) keys.delete(oldest);
  keys.set(name, key);
  return key;
}
