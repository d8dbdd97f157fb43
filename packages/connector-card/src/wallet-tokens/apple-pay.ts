import type { KeyObject } from 'node:crypto';
import type { Money, WalletCard } from '@railyard/core';
import { currencyNumber } from '@railyard/core/formats';
import * as z from 'zod';
import { agreedKey, decrypted, unwrappedKey } from './apple-decrypt.ts';
import { APPLE_ROOT_CA_G3 } from './apple-root.ts';
import { verifyAppleSignature } from './apple-signature.ts';
import { base64, hash, sha256 } from './bytes.ts';
import { publicKeyBytes } from './private-key.ts';
import { orRefuse, refuse } from './refusals.ts';

/** The signed parts are concatenated: without fixed lengths, bytes of one part could pass for bytes of the next. */
const header = {
  publicKeyHash: base64(),
  transactionId: hash(),
  applicationData: hash().optional(),
};

const sealed = { data: base64(), signature: base64() };

const paymentData = z.discriminatedUnion('version', [
  z.strictObject({
    version: z.literal('EC_v1'),
    ...sealed,
    header: z.strictObject({ ...header, ephemeralPublicKey: base64() }),
  }),
  z.strictObject({
    version: z.literal('RSA_v1'),
    ...sealed,
    header: z.strictObject({ ...header, wrappedKey: base64() }),
  }),
]);

type PaymentData = z.output<typeof paymentData>;

/** The token as the browser gives it, or its `paymentData` alone. What stands beside `paymentData` is not signed, and not read. */
const tokenSchema = z.union([
  z.looseObject({ paymentData: z.unknown() }).transform((token) => token.paymentData),
  z.unknown(),
]);

const content = z.object({
  applicationPrimaryAccountNumber: z.string().regex(/^\d{12,19}$/),
  applicationExpirationDate: z.string().regex(/^\d{2}(?:0[1-9]|1[0-2])\d{2}$/),
  currencyCode: z.string().regex(/^\d{3}$/),
  transactionAmount: z.int().nonnegative(),
  cardholderName: z.string().optional(),
  // A token of the other kind, EMV, has no cryptogram that a card's number could be paid with.
  paymentDataType: z.literal('3DSecure'),
  paymentData: z.object({ onlinePaymentCryptogram: z.string().min(1), eciIndicator: z.string().optional() }),
});

/** A key that tokens are sealed for, and SHA-256 of the identifier of the merchant whose it is. */
export interface AppleKey {
  readonly privateKey: KeyObject;
  readonly merchantIdHash: Uint8Array;
}

export interface ApplePayOptions {
  /** Several: while one replaces another. */
  readonly keys: readonly AppleKey[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Of the payment. */
  readonly amount: Money;
  /** SHA-256 of what the request gave as application data; nothing unless it gave some. */
  readonly applicationDataHash?: Uint8Array;
  /** Certificates to trust, PEM; Apple Root CA G3 unless given. */
  readonly roots?: readonly string[];
  /** How long ago a token may have been signed, in milliseconds; ten minutes unless given. */
  readonly maxAgeMs?: number;
}

const MAX_AGE_MS = 600_000;
/** So far the signer's clock may be ahead of ours. */
const AHEAD_MS = 60_000;

/**
 * Verifies a token of Apple Pay (EC_v1, RSA_v1) and decrypts it.
 *
 * @param token as it came: parsed JSON, the whole token or its `paymentData`
 * @throws WalletTokenRefused with the reason
 * @example openApplePayToken(JSON.parse(text), { keys, now: Date.now(), amount: money('10.00', 'USD') }).number;
 */
export function openApplePayToken(token: unknown, options: ApplePayOptions): WalletCard {
  const data = readPaymentData(token);
  const key = options.keys.find(({ privateKey }) =>
    sha256(publicKeyBytes(privateKey)).equals(data.header.publicKeyHash),
  );
  verifySigned(data, options);
  if (key === undefined) return refuse('unknown-key');
  const text = decrypted(symmetricKey(data, key), data.data);
  const opened = orRefuse('content-malformed', () => content.parse(JSON.parse(text)));
  const { amount } = options;
  if (opened.currencyCode !== currencyNumber(amount.currency)) refuse('other-currency');
  if (BigInt(opened.transactionAmount) !== amount.minor) refuse('other-amount');
  return cardOf(opened, appleTransactionId(data));
}

/** The id of a token that is not opened here, to accept it once. */
export const applePayTokenId = (token: unknown): string => appleTransactionId(readPaymentData(token));

const appleTransactionId = ({ header }: PaymentData): string => header.transactionId.toString('hex');

function readPaymentData(token: unknown): PaymentData {
  const given = tokenSchema.parse(token);
  const version = z.object({ version: z.string() }).safeParse(given);
  if (version.success && !['EC_v1', 'RSA_v1'].includes(version.data.version)) refuse('unknown-version');
  return orRefuse('malformed', () => paymentData.parse(given));
}

function verifySigned(token: PaymentData, options: ApplePayOptions): void {
  const { data, header, signature } = token;
  const { now, roots = [APPLE_ROOT_CA_G3], maxAgeMs = MAX_AGE_MS, applicationDataHash } = options;
  const parts = [senderPart(token), data, header.transactionId, header.applicationData ?? Buffer.alloc(0)];
  const at = verifyAppleSignature(signature, Buffer.concat(parts), roots).getTime();
  if (at < now - maxAgeMs) refuse('signed-long-ago');
  if (at > now + AHEAD_MS) refuse('signed-in-future');
  const expected = applicationDataHash === undefined ? undefined : Buffer.from(applicationDataHash).toString('hex');
  if (header.applicationData?.toString('hex') !== expected) refuse('other-application-data');
}

const senderPart = (token: PaymentData): Buffer =>
  token.version === 'EC_v1' ? token.header.ephemeralPublicKey : token.header.wrappedKey;

const symmetricKey = (token: PaymentData, { privateKey, merchantIdHash }: AppleKey): Buffer =>
  token.version === 'EC_v1'
    ? agreedKey(privateKey, token.header.ephemeralPublicKey, merchantIdHash)
    : unwrappedKey(privateKey, token.header.wrappedKey);

function cardOf(opened: z.output<typeof content>, id: string): WalletCard {
  const { applicationPrimaryAccountNumber: number, applicationExpirationDate: date, cardholderName: holder } = opened;
  const { onlinePaymentCryptogram: cryptogram, eciIndicator: eci } = opened.paymentData;
  return {
    id,
    number,
    expiryMonth: date.slice(2, 4),
    expiryYear: `20${date.slice(0, 2)}`,
    panType: 'dpan',
    ...(holder !== undefined && holder.trim() !== '' && { holder }),
    cryptogram,
    ...(eci !== undefined && { eci: eci.padStart(2, '0') }),
  };
}
