import { createHmac, createSecretKey, hash, type Hmac, type KeyObject } from 'node:crypto';

/** By a digest of the secret, so that no name in memory holds a secret. A deployment has few secrets; the oldest entry is dropped. */
const keys = new Map<string, KeyObject>();
const MOST_KEYS = 1000;

/**
 * An HMAC by a secret. Given bytes, Node makes a key of them each time: ten microseconds on Node 24, where the HMAC itself takes two. Here the key of
 * a secret is made once.
 *
 * @param secret text stands for its UTF-8
 * @throws Error for a digest that Node does not know
 * @example hmac('sha256', secret).update(text).digest('hex')
 */
export const hmac = (digest: string, secret: string | Uint8Array): Hmac => createHmac(digest, keyOf(secret));

function keyOf(secret: string | Uint8Array): KeyObject {
  const bytes = Buffer.from(secret);
  const name = hash('sha256', bytes);
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = createSecretKey(bytes);
  const [oldest] = keys.size < MOST_KEYS ? [] : keys.keys();
  if (oldest !== undefined) keys.delete(oldest);
  keys.set(name, key);
  return key;
}
