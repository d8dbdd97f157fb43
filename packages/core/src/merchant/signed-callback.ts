import { utf8ToBytes } from '@noble/hashes/utils.js';
import { type CallbackData, readFields } from './read-fields.ts';
import { hasSignature } from './webhook-signature.ts';

/** Present in every browser and in Node; declared here because this package is compiled without either's types. */
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/** As the server gives them: an object, in any case, or something with `get` such as `Headers`. */
type HeadersLike =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyCallback {
  /** The body as it came, before anything parsed it. */
  readonly body: string | Uint8Array;
  readonly headers: HeadersLike;
  /** The callback secret; both while it is being replaced. */
  readonly secret: string | readonly string[];
  /** Milliseconds since 1970: `Date.now()`. */
  readonly now: number;
  /** Seconds that the signature may lie in the past or the future. Default: 300. */
  readonly tolerance?: number;
}

/** The header values of every callback, and its fields. */
export interface SignedCallback<F> {
  /** `webhook-id`: the same whenever this callback is repeated. Keep the ids that you have handled, and answer 2xx when one comes again. */
  readonly webhookId: string;
  /** When it was signed, in milliseconds since 1970. */
  readonly signedAt: number;
  /**
   * `x-payment-version`: rises with every callback of a payment, so that an old one that is replayed can be distinguished from a new one. The signature
   * does not cover it; over https only the service can set it.
   */
  readonly version: number | undefined;
  readonly fields: F;
}

export type CallbackProblem =
  /** `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing or cannot be read. */
  | 'no-signature'
  | 'too-old'
  | 'too-new'
  | 'wrong-signature'
  /** Signed by the service and yet no callback: look for a proxy that changes bodies, or for another kind of webhook. */
  | 'unreadable';

export type CheckedSignature<F> =
  | { readonly ok: true; readonly callback: SignedCallback<F> }
  | { readonly ok: false; readonly reason: CallbackProblem };

/** Checks the headers of a callback and reads its body, form or JSON. */
export function readSignedCallback<F extends Readonly<Record<string, CallbackData>>>(
  request: VerifyCallback,
  isWhole: (fields: Readonly<Record<string, CallbackData>>) => fields is F,
): CheckedSignature<F> {
  const { secret, now, tolerance = 300 } = request;
  // Without types a forgotten clock would let any age through.
  if (!Number.isFinite(now) || !(tolerance >= 0))
    throw new RangeError('now is milliseconds since 1970, tolerance is seconds.');
  const header = (name: string) => headerOf(request.headers, name);
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const signature = header('webhook-signature');
  if (id === '' || signature === '' || !/^\d{1,12}$/.test(timestamp)) return { ok: false, reason: 'no-signature' };
  const signedAt = Number(timestamp) * 1000;
  if (signedAt < now - tolerance * 1000) return { ok: false, reason: 'too-old' };
  if (signedAt > now + tolerance * 1000) return { ok: false, reason: 'too-new' };
  const bytes = typeof request.body === 'string' ? utf8ToBytes(request.body) : request.body;
  if (!hasSignature(signature, [secret].flat(), { id, timestamp }, bytes))
    return { ok: false, reason: 'wrong-signature' };
  const text = textOf(bytes);
  const fields = text === undefined ? undefined : readFields(text);
  if (fields === undefined || !isWhole(fields)) return { ok: false, reason: 'unreadable' };
  const version = /^\d{1,15}$/.test(header('x-payment-version')) ? Number(header('x-payment-version')) : undefined;
  return { ok: true, callback: { webhookId: id, signedAt, version, fields } };
}

function headerOf(headers: HeadersLike, name: string): string {
  if (hasGet(headers)) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return [found ?? []].flat().join(', ');
}

function hasGet(headers: HeadersLike): headers is { get(name: string): string | null | undefined } {
  return typeof headers['get'] === 'function';
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether these are all texts. */
export const areTexts = (fields: Readonly<Record<string, CallbackData>>, names: readonly string[]): boolean =>
  names.every((name) => typeof fields[name] === 'string');
