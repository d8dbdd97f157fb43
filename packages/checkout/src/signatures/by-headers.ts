import { randomBytes } from 'node:crypto';
import { type Answer, issue, type ValidationBody, validationAnswer } from '@railyard/core/protocol';
import { hasRequestSignature, requestIdForm, requestSignatureHeaders, requestTolerance } from '@railyard/core/merchant';
import type { RequestKey } from '../deployment/catalogue-schema.ts';
import type { SignatureDeps } from './deps.ts';
import { fastHmac } from './fast-hmac.ts';
import type { SentSignature } from './sent.ts';

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
