import type { OptionalFields } from '../payment/optional-fields.ts';
import type { CallbackData } from './read-fields.ts';
import {
  areTexts,
  type CheckedSignature,
  readSignedCallback,
  type SignedCallback,
  type VerifyCallback,
} from './signed-callback.ts';

/** The fields of a callback (docs/callbacks.md). What they mean, `type`, `status` and `order_status` say together: `CallbackWords`. */
export interface CallbackFields extends OptionalFields {
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

export type VerifiedCallback = SignedCallback<CallbackFields>;

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
export const verifyCallback = (request: VerifyCallback): CheckedSignature<CallbackFields> =>
  readSignedCallback(request, isWhole);

const isWhole = (fields: Readonly<Record<string, CallbackData>>): fields is CallbackFields =>
  areTexts(fields, REQUIRED);
