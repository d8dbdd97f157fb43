import { type KeyObject, verify } from 'node:crypto';
import * as z from 'zod';
import { base64 } from './bytes.ts';
import { type GoogleProtocol, type GoogleRootKey, rootKeysOf, signingKey } from './google-keys.ts';
import { orRefuse, refuse } from './refusals.ts';

const SENDER = 'Google';

const signed = { signature: base64(), signedMessage: z.string().min(1) };
const intermediateSigningKey = z.strictObject({ signedKey: z.string().min(1), signatures: z.array(base64()).min(1) });

/** Texts that are signed are used byte for byte as they came. */
export const googleToken = z.discriminatedUnion('protocolVersion', [
  z.strictObject({ protocolVersion: z.literal('ECv1'), ...signed }),
  z.strictObject({ protocolVersion: z.literal('ECv2'), ...signed, intermediateSigningKey }),
  z.strictObject({ protocolVersion: z.literal('ECv2SigningOnly'), ...signed, intermediateSigningKey }),
]);

export type GoogleToken = z.output<typeof googleToken>;

const signedKeySchema = z.strictObject({ keyValue: z.string().min(1), keyExpiration: z.string().regex(/^\d{1,15}$/) });

export interface GoogleVerification {
  readonly rootKeys: readonly GoogleRootKey[];
  /** `merchant:<id>`, or `gateway:<name>` where the service is the gateway. */
  readonly recipientId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Verifies that Google signed the message for this recipient. */
export function verifyGoogleSignatures(token: GoogleToken, { rootKeys, recipientId, now }: GoogleVerification): void {
  const { protocolVersion: version, signature, signedMessage } = token;
  const roots = rootKeysOf(version, rootKeys, now);
  const keys = token.protocolVersion === 'ECv1' ? roots : [intermediateKey(token, roots, now)];
  if (!isSigned(keys, [signature], SENDER, recipientId, version, signedMessage)) refuse('not-signed-for-recipient');
}

function intermediateKey(
  token: Extract<GoogleToken, { intermediateSigningKey: unknown }>,
  roots: readonly KeyObject[],
  now: number,
): KeyObject {
  const { signedKey, signatures } = token.intermediateSigningKey;
  const version: GoogleProtocol = token.protocolVersion;
  if (!isSigned(roots, signatures, SENDER, version, signedKey)) refuse('intermediate-key-signature');
  const { keyValue, keyExpiration } = orRefuse('malformed', () => signedKeySchema.parse(JSON.parse(signedKey)));
  return Number(keyExpiration) > now ? signingKey(keyValue) : refuse('intermediate-key-expired');
}

function isSigned(keys: readonly KeyObject[], signatures: readonly Buffer[], ...texts: readonly string[]): boolean {
  const bytes = Buffer.concat(texts.flatMap(withLength));
  return keys.some((key) => signatures.some((signature) => verify('sha256', bytes, key, signature)));
}

/** Four bytes of length, the lowest first, and the text in UTF-8. */
function withLength(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return [length, bytes];
}
