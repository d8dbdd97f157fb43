import {
  createCipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { senderKeys } from '../wallet-tokens/vectors.ts';

/** Seals tokens as Google does, with a sender's published test keys; written apart from what opens them. */
export type GoogleVersion = 'ECv1' | 'ECv2' | 'ECv2SigningOnly';

const privateKey = (base64: string) =>
  createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });

/** The merchant's published key, and its public half. */
export const merchantKey = privateKey(senderKeys.MERCHANT_PRIVATE_KEY_PKCS8_BASE64);

const SENDERS = {
  ECv1: { root: senderKeys.GOOGLE_SIGNING_EC_V1_PRIVATE_KEY_PKCS8_BASE64 },
  ECv2: {
    root: senderKeys.GOOGLE_SIGNING_EC_V2_PRIVATE_KEY_PKCS8_BASE64,
    intermediate: senderKeys.GOOGLE_SIGNING_EC_V2_INTERMEDIATE_PRIVATE_KEY_PKCS8_BASE64,
  },
  ECv2SigningOnly: {
    root: senderKeys.GOOGLE_SIGNING_EC_V2_SIGNING_ONLY_PRIVATE_KEY_PKCS8_BASE64,
    intermediate: senderKeys.GOOGLE_SIGNING_EC_V2_SIGNING_ONLY_INTERMEDIATE_PRIVATE_KEY_PKCS8_BASE64,
  },
} as const;

/** The root keys of the sender, valid until a moment. */
export const rootKeysUntil = (at: number) =>
  senderKeys.rootKeys.map(({ protocolVersion, keyValue }) => ({
    protocolVersion,
    keyValue,
    ...(protocolVersion !== 'ECv1' && { keyExpiration: String(at) }),
  }));

export interface GoogleSealing {
  readonly version: GoogleVersion;
  readonly recipientId: string;
  /** Milliseconds since 1970; of versions that have an intermediate key. */
  readonly intermediateUntil: number;
  readonly to?: KeyObject;
}

const part = (text: string) => {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const signed = (key: KeyObject, ...texts: readonly string[]) =>
  sign('sha256', Buffer.concat(texts.map(part)), key).toString('base64');

export function sealGooglePay(message: string, sealing: GoogleSealing): Record<string, unknown> {
  const { version, recipientId, intermediateUntil, to = createPublicKey(merchantKey) } = sealing;
  const signedMessage = version === 'ECv2SigningOnly' ? message : encrypted(message, version, to);
  const sender = SENDERS[version];
  const root = privateKey(sender.root);
  if (!('intermediate' in sender))
    return {
      protocolVersion: version,
      signature: signed(root, 'Google', recipientId, version, signedMessage),
      signedMessage,
    };
  const intermediate = privateKey(sender.intermediate);
  const keyValue = createPublicKey(intermediate).export({ format: 'der', type: 'spki' }).toString('base64');
  const signedKey = JSON.stringify({ keyValue, keyExpiration: String(intermediateUntil) });
  return {
    protocolVersion: version,
    signature: signed(intermediate, 'Google', recipientId, version, signedMessage),
    intermediateSigningKey: { signedKey, signatures: [signed(root, 'Google', version, signedKey)] },
    signedMessage,
  };
}

function encrypted(message: string, version: 'ECv1' | 'ECv2', to: KeyObject): string {
  const bytes = version === 'ECv1' ? 16 : 32;
  const ephemeral = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const point = ephemeral.publicKey.export({ format: 'der', type: 'spki' }).subarray(-65);
  const secret = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: to });
  const keys = Buffer.from(hkdfSync('sha256', Buffer.concat([point, secret]), '', 'Google', 2 * bytes));
  const cipher = createCipheriv(`aes-${bytes * 8}-ctr`, keys.subarray(0, bytes), Buffer.alloc(16));
  const encryptedMessage = Buffer.concat([cipher.update(message), cipher.final()]);
  const tag = createHmac('sha256', keys.subarray(bytes)).update(encryptedMessage).digest('base64');
  return JSON.stringify({
    tag,
    ephemeralPublicKey: point.toString('base64'),
    encryptedMessage: encryptedMessage.toString('base64'),
  });
}
