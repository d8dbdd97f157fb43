import {
  hasRequestSignature,
  requestIdForm,
  requestSignatureHeaders,
  requestTolerance,
  type HmacBase64,
  type RequestToSign,
} from '@railyard/core/merchant';
import type { Stores } from './storage/index.ts';
import { randomBytes } from 'node:crypto';
import { issue, validationAnswer, type Answer, type ValidationBody } from '@railyard/core/protocol';
import {
  DIRECTIONS,
  PERMISSION_FOR,
  type CallName,
  type MerchantConfig,
  type RequestKey,
} from './deployment/catalogue.ts';
import { hmac } from '@railyard/runtime';
import { trustedProxies } from './deployment/addresses.ts';

/** Node's own, for the signatures of the Standard Webhooks: many times as fast as the portable one. */
export const fastHmac: HmacBase64 = (key, signed) => hmac('sha256', key).update(signed).digest('base64');

/** The key that signed a call. */
export type SigningKey = Pick<RequestKey, 'id' | 'permissions'>;

type Refused = { readonly ok: false; readonly answer: Answer<ValidationBody> };

const refused = (header: keyof typeof requestSignatureHeaders, message: string): Refused => ({
  ok: false,
  answer: validationAnswer([issue(requestSignatureHeaders[header], message)]),
});

/** As many secrets for every merchant, so that the time does not say which keys there are. */
const mostSecrets = 2;

/** Stands in for the secret of a key that does not exist. It never leaves this process. */
const stranger = `whsec_${randomBytes(32).toString('base64')}`;

/**
 * Checks the signature in the headers of a call. A wrong signature, an unknown key and an unknown merchant get the same answer after the same
 * work. Whether the request came before, `isNew` says.
 */
export function signedByHeaders(
  keys: readonly RequestKey[],
  sent: SentSignature,
  now: number,
): { readonly ok: true; readonly key: SigningKey } | Refused {
  if (!requestIdForm.test(sent.id)) return refused('id', 'Send 8 to 64 letters, digits, "-" and "_", new each time.');
  const isTime = /^\d{1,12}$/.test(sent.timestamp);
  if (!isTime || Math.abs(now - Number(sent.timestamp) * 1000) > requestTolerance * 1000)
    return refused(
      'timestamp',
      `Send the time in seconds since 1970; ${requestTolerance} seconds are the most it may differ.`,
    );
  const key = keys.find(({ id }) => id === sent.key);
  const secrets = [key?.secret ?? []].flat();
  const padding = Array.from({ length: mostSecrets - secrets.length }, () => stranger);
  const isRight = hasRequestSignature(sent.signature, [...secrets, ...padding], sent, fastHmac);
  if (!isRight || key === undefined) return refused('signature', 'Signature is not valid.');
  return { ok: true, key };
}

/** Refuses a signed request that came before. To be asked last, because it keeps the id. */
export async function isNew(
  { stores }: SignatureDeps,
  merchantKey: string,
  { key, id }: SentSignature,
): Promise<Refused | undefined> {
  if (await stores.requestIds.take({ merchantKey, keyId: key, requestId: id })) return undefined;
  return refused('id', 'This request came before. Send it again with a new id and the same Idempotency-Key.');
}

/** Needed to judge a signature. */
export interface SignatureDeps {
  readonly stores: Pick<Stores, 'requestIds'>;
}

/** Why a merchant who signed a call may not make it; `undefined`: the merchant may. */
export function whyForbidden(
  config: MerchantConfig,
  { call, sent }: { readonly call: CallName; readonly sent: Sent },
  by: 'hash' | SigningKey,
): string | undefined {
  const direction = DIRECTIONS[call];
  if (by === 'hash') {
    if (config.legacySignatures === 'none') return NEEDS_SIGNATURE;
    if (direction === 'out' && !mayPayOutByHash(config, sent)) return PAY_OUT_NEEDS_SIGNATURE;
  } else {
    const needed = PERMISSION_FOR[direction];
    if (!by.permissions.includes(needed)) return `The request key "${by.id}" has no permission "${needed}".`;
  }
  return direction === 'out' && !config.moneyOut ? MONEY_OUT_IS_OFF : undefined;
}

/** From an address of the merchant's list only: the hash alone is seen by too many. */
function mayPayOutByHash({ legacySignatures, legacyAddresses }: MerchantConfig, { client }: Sent): boolean {
  return legacySignatures === 'money-out' && client !== undefined && trustedProxies(legacyAddresses)(client);
}

const NEEDS_SIGNATURE = 'This merchant signs every request in its headers (request-signature); a hash is not accepted.';
const PAY_OUT_NEEDS_SIGNATURE =
  'A request that pays out is signed in its headers (request-signature); a hash is accepted from addresses of legacyAddresses only.';
const MONEY_OUT_IS_OFF = 'Paying out is switched off for this merchant (moneyOut).';

/** The headers of a request signature, with what they cover. */
export interface SentSignature extends RequestToSign {
  readonly key: string;
  readonly signature: string;
}

/** How a call came. */
export interface Sent {
  /** The address that it came from; `undefined` where there is no connection. */
  readonly client: string | undefined;
  /** Absent of a call that is signed by its hash. */
  readonly signature: SentSignature | undefined;
  /** Of the request, as its answer names it. Absent where there is no connection. */
  readonly requestId?: string;
}

/** A call that did not come over a connection, and carries no headers. */
export const SENT_BARE: Sent = { client: undefined, signature: undefined };

/** Replaces the hash of a request that its headers sign. No text has this hash. */
const SIGNED_BY_HEADERS = 'signed-by-headers';

/** The body of a request that needs no hash, because its headers sign it. One that is there stays. */
export function withoutNeedOfHash(body: object, { signature }: Sent): object {
  return signature === undefined || 'hash' in body ? body : { ...body, hash: SIGNED_BY_HEADERS };
}
