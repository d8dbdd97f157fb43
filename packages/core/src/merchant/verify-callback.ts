import { utf8ToBytes } from '@noble/hashes/utils.js';
import { type CallbackData, readFields } from './read-fields.ts';
import { hasSignature } from './webhook-signature.ts';

export type { CallbackData } from './read-fields.ts';

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
  /** Seconds that the signature may lie in the past or the future: 300 unless given. */
  readonly tolerance?: number;
}

/** The fields of a callback (docs/callbacks.md). What they mean, `type`, `status` and `order_status` say together: `CallbackWords`. */
export interface CallbackFields {
  /** The payment. */
  readonly id: string;
  readonly order_number: string;
  readonly order_amount: string;
  readonly order_currency: string;
  readonly order_description: string;
  readonly order_status: string;
  readonly type: string;
  readonly status: string;
  /** The legacy signature. It does not cover the status; nothing needs to be proved with it any more. */
  readonly hash: string;
  readonly [name: string]: CallbackData;
}

export interface VerifiedCallback {
  /** `webhook-id`: the same whenever this callback is repeated. Keep those that were handled, and answer 2xx to one that comes again. */
  readonly webhookId: string;
  /** When it was signed, in milliseconds since 1970. */
  readonly signedAt: number;
  /**
   * `x-payment-version`: rises with every callback of a payment, so that an old one that is replayed can be told from a new one. The signature
   * does not cover it; over https nobody but the service can set it.
   */
  readonly version: number | undefined;
  readonly fields: CallbackFields;
}

export type CallbackProblem =
  /** `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing or cannot be read. */
  | 'no-signature'
  | 'too-old'
  | 'too-new'
  | 'wrong-signature'
  /** Signed by the service and yet no callback: look for a proxy that changes bodies, or for another kind of webhook. */
  | 'unreadable';

const REQUIRED = [
  'id',
  'order_number',
  'order_amount',
  'order_currency',
  'order_description',
  'order_status',
  'type',
  'status',
  'hash',
] as const;

/**
 * Checks that a callback comes from the service and is complete, and reads it. The Standard Webhooks signature in its headers covers every byte
 * of the body, the status included.
 *
 * @throws RangeError for a secret that is none
 * @example
 * const checked = verifyCallback({ body, headers: request.headers, secret: process.env.CALLBACK_SECRET, now: Date.now() });
 * if (!checked.ok) return new Response(checked.reason, { status: 400 });
 */
export function verifyCallback(
  request: VerifyCallback,
):
  | { readonly ok: true; readonly callback: VerifiedCallback }
  | { readonly ok: false; readonly reason: CallbackProblem } {
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
  const fields = fieldsOf(bytes);
  if (fields === undefined) return { ok: false, reason: 'unreadable' };
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

function fieldsOf(bytes: Uint8Array): CallbackFields | undefined {
  const text = textOf(bytes);
  const fields = text === undefined ? undefined : readFields(text);
  return fields !== undefined && isComplete(fields) ? fields : undefined;
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isComplete(fields: Readonly<Record<string, CallbackData>>): fields is CallbackFields {
  return REQUIRED.every((name) => typeof fields[name] === 'string');
}
