import type { KeyObject } from 'node:crypto';
import type { WalletCard } from '@railyard/core';
import * as z from 'zod';
import { sha256 } from './bytes.ts';
import { decryptGoogleMessage } from './google-decrypt.ts';
import { PROTOCOLS } from './google-keys.ts';
import { type GoogleToken, googleToken, type GoogleVerification, verifyGoogleSignatures } from './google-signature.ts';
import { orRefuse, refuse } from './refusals.ts';

/** Numbers come as such and as texts. */
const digits = (form: RegExp) => z.union([z.int(), z.string()]).transform(String).pipe(z.string().regex(form));

const AUTH_METHODS = ['PAN_ONLY', 'CRYPTOGRAM_3DS'] as const;
/** `PAN_ONLY`: the card's own number, of an unauthenticated payer. `CRYPTOGRAM_3DS`: the device's number with the payer's proof. */
export type GoogleAuthMethod = (typeof AUTH_METHODS)[number];

const content = z.object({
  messageExpiration: z.string().regex(/^\d{1,15}$/),
  gatewayMerchantId: z.string().optional(),
  paymentMethod: z.literal('CARD'),
  paymentMethodDetails: z.object({
    pan: z.string().regex(/^\d{12,19}$/),
    expirationMonth: digits(/^(?:0?[1-9]|1[0-2])$/),
    expirationYear: digits(/^\d{4}$/),
    authMethod: z.enum(AUTH_METHODS),
    cryptogram: z.string().min(1).optional(),
    eciIndicator: z.string().optional(),
  }),
});

export interface GooglePayOptions extends GoogleVerification {
  /** Several: while one replaces another. */
  readonly keys: readonly KeyObject[];
  /** The merchant's id at the gateway, where the service is the gateway. */
  readonly gatewayMerchantId?: string;
  /** The ways of proof that are taken; all unless given. */
  readonly authMethods?: readonly GoogleAuthMethod[];
}

/**
 * Verifies a token of Google Pay (ECv1, ECv2, ECv2SigningOnly) and decrypts it.
 *
 * @param token as it came: the text `paymentMethodData.tokenizationData.token`, or it as parsed JSON
 * @throws WalletTokenRefused with the reason
 * @example openGooglePayToken(text, { keys, rootKeys, recipientId: 'merchant:123', now: Date.now() }).number;
 */
export function openGooglePayToken(token: unknown, options: GooglePayOptions): WalletCard {
  const read = readGoogleToken(token);
  const text = openMessage(read, options);
  const opened = orRefuse('content-malformed', () => content.parse(JSON.parse(text)));
  if (Number(opened.messageExpiration) <= options.now) refuse('expired');
  const { gatewayMerchantId, authMethods = AUTH_METHODS } = options;
  if (gatewayMerchantId !== undefined && opened.gatewayMerchantId !== gatewayMerchantId) refuse('other-merchant');
  // The page requests these methods, but the browser may request others.
  if (!authMethods.includes(opened.paymentMethodDetails.authMethod)) refuse('other-auth-method');
  return cardOf(opened, tokenId(read));
}

/** The text of a token of any kind, verified and decrypted. */
export const openGooglePayMessage = (token: unknown, options: GooglePayOptions): string =>
  openMessage(readGoogleToken(token), options);

function openMessage(token: GoogleToken, options: GooglePayOptions): string {
  verifyGoogleSignatures(token, options);
  const { protocolVersion, signedMessage } = token;
  return protocolVersion === 'ECv2SigningOnly'
    ? signedMessage
    : decryptGoogleMessage(protocolVersion, signedMessage, options.keys);
}

/** The id of a token that is not opened here, to accept it once. */
export const googlePayTokenId = (token: unknown): string => tokenId(readGoogleToken(token));

/** Of the signed text alone: the same token with the rest written in another way keeps its id. */
const tokenId = ({ signedMessage }: GoogleToken): string => sha256(Buffer.from(signedMessage, 'utf8')).toString('hex');

function readGoogleToken(token: unknown): GoogleToken {
  const given = typeof token === 'string' ? orRefuse('malformed', (): unknown => JSON.parse(token)) : token;
  const version = z.object({ protocolVersion: z.string() }).safeParse(given);
  const isKnown = !version.success || PROTOCOLS.some((each) => each === version.data.protocolVersion);
  if (!isKnown) refuse('unknown-version');
  return orRefuse('malformed', () => googleToken.parse(given));
}

function cardOf({ paymentMethodDetails: details }: z.output<typeof content>, id: string): WalletCard {
  const { pan, expirationMonth, expirationYear, authMethod, cryptogram, eciIndicator } = details;
  const isDevice = authMethod === 'CRYPTOGRAM_3DS';
  if (isDevice !== (cryptogram !== undefined)) refuse('content-malformed');
  return {
    id,
    number: pan,
    expiryMonth: expirationMonth.padStart(2, '0'),
    expiryYear: expirationYear,
    panType: isDevice ? 'dpan' : 'fpan',
    ...(cryptogram !== undefined && { cryptogram }),
    ...(isDevice && eciIndicator !== undefined && { eci: eciIndicator.padStart(2, '0') }),
  };
}
