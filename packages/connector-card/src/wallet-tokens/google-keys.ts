import { createPublicKey, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import { isP256 } from './private-key.ts';
import { orRefuse, refuse } from './refusals.ts';

export const PROTOCOLS = ['ECv1', 'ECv2', 'ECv2SigningOnly'] as const;
export type GoogleProtocol = (typeof PROTOCOLS)[number];

/** A key that Google signs with, as its list of keys has it (`keys.json`). */
export interface GoogleRootKey {
  readonly protocolVersion: string;
  /** Base64, as certificates carry keys. */
  readonly keyValue: string;
  /** Milliseconds since 1970, as text. Keys of ECv1 have none. */
  readonly keyExpiration?: string | undefined;
}

const publicKey = (base64: string): KeyObject =>
  createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });

function isSigningKey(base64: string): boolean {
  try {
    return isP256(publicKey(base64));
  } catch {
    return false;
  }
}

/** Google's list of keys. */
export const googleRootKeys = z.object({
  keys: z
    .array(
      z.object({
        protocolVersion: z.string(),
        keyValue: z.string().refine(isSigningKey, 'This is no public key: give the text as Google has it.'),
        keyExpiration: z
          .string()
          .regex(/^\d{1,15}$/)
          .optional(),
      }),
    )
    .min(1),
});

/** The root key of Google's TEST environment (payments.developers.google.com/paymentmethodtoken/test/keys.json). */
export const GOOGLE_TEST_ROOT_KEYS: readonly GoogleRootKey[] = [
  {
    protocolVersion: 'ECv2',
    keyValue:
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEGnJ7Yo1sX9b4kr4Aa5uq58JRQfzD8bIJXw7WXaap/hVE+PnFxvjx4nVxt79SdRuUVeu++HZD0cGAv4IOznc96w==',
    keyExpiration: '2154841200000',
  },
];

/** The root keys of a version that are valid now. */
export function rootKeysOf(version: GoogleProtocol, keys: readonly GoogleRootKey[], now: number): readonly KeyObject[] {
  const valid = keys.filter(
    ({ protocolVersion, keyExpiration }) =>
      protocolVersion === version && (keyExpiration === undefined ? version === 'ECv1' : Number(keyExpiration) > now),
  );
  return valid.length === 0 ? refuse('no-root-key') : valid.map(({ keyValue }) => signingKey(keyValue));
}

export const signingKey = (base64: string): KeyObject => orRefuse('malformed', () => publicKey(base64));
