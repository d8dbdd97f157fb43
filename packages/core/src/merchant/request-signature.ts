import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { type HmacBase64, isMadeBy, signatureOf } from './webhook-signature.ts';

/** The headers of a signed request (docs/server-to-server.md). */
export const requestSignatureHeaders = {
  /** Which of the merchant's keys signs. */
  key: 'request-key',
  /** New for each time that a request is sent. */
  id: 'request-id',
  /** Seconds since 1970. */
  timestamp: 'request-timestamp',
  /** One signature, or several with a space between them. */
  signature: 'request-signature',
} as const;

/** Seconds that the time of a request may lie in the past or the future. */
export const requestTolerance = 300;

/** Eight to 64 letters, digits, `-` and `_`. */
export const requestIdForm = /^[A-Za-z0-9_-]{8,64}$/;

/** The part of a request that its signature covers. */
export interface RequestToSign {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: string;
  /** `POST` */
  readonly method: string;
  /** Behind the address of the checkout, with its query: `/api/v1/session`. */
  readonly path: string;
  /** Byte for byte as it is sent. */
  readonly body: Uint8Array;
}

/**
 * The signature of a request: `v1,` and the Base64 of HMAC-SHA256 over `<id>.<timestamp>.<METHOD> <path>`, a line feed, and the body.
 *
 * @param secret `whsec_` and Base64, of one of the merchant's request keys
 * @throws RangeError, without the secret, for one that is not
 * @example requestSignature(secret, { id: 'req-00000001', timestamp: '1795219200', method: 'POST', path: '/api/v1/session', body })
 */
export const requestSignature = (secret: string, request: RequestToSign): string =>
  signatureOf(secret, bytesOf(request));

/**
 * Whether one of the signatures in the header was made by one of the secrets. Everything is compared to its end.
 *
 * @param hmac default: core's own
 */
export const hasRequestSignature = (
  header: string,
  secrets: readonly string[],
  request: RequestToSign,
  hmac?: HmacBase64,
): boolean => isMadeBy(header, secrets, bytesOf(request), hmac);

/** No part can run into the next: ids have no dot, methods and paths no line feed. */
function bytesOf({ id, timestamp, method, path, body }: RequestToSign): Uint8Array {
  return concatBytes(utf8ToBytes(`${id}.${timestamp}.${method} ${path}\n`), body);
}
