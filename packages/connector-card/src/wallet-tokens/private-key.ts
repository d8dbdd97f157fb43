import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

const FORMS = ['pkcs8', 'sec1', 'pkcs1'] as const;

/**
 * A private key as the wallets' settings have it: PEM, or the one line between its markers (protocol: Digital wallet methods).
 *
 * @throws Error that does not repeat the text
 */
export function readPrivateKey(text: string): KeyObject {
  const key = text.includes('-----BEGIN') ? orNothing(() => createPrivateKey(text)) : fromLine(text);
  if (key === undefined) throw new Error('This is no private key: use PEM, or the Base64 text between its markers.');
  return key;
}

function fromLine(text: string): KeyObject | undefined {
  const der = Buffer.from(text.replaceAll(/\s/g, ''), 'base64');
  for (const type of FORMS) {
    const key = orNothing(() => createPrivateKey({ key: der, format: 'der', type }));
    if (key !== undefined) return key;
  }
  return undefined;
}

/** The platform's error about an unreadable key may quote a part of the key, so it is dropped. */
function orNothing(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The public half of a private key, as certificates carry it. */
export const publicKeyBytes = (privateKey: KeyObject): Buffer =>
  createPublicKey(privateKey).export({ format: 'der', type: 'spki' });

export const isRsa = (key: KeyObject): boolean => key.asymmetricKeyType === 'rsa';

export const isP256 = (key: KeyObject): boolean =>
  key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
