import type { TransactionWords } from '../payment/transaction-words.ts';
import type { OptionalFields } from '../payment/optional-fields.ts';
import type { CallbackData } from './read-fields.ts';
import {
  areTexts,
  type CheckedSignature,
  readSignedCallback,
  type SignedCallback,
  type VerifyCallback,
} from './signed-callback.ts';

/** The fields of the callback of a server-to-server command (docs/server-to-server.md). What is empty is left out. */
export interface CommandCallbackFields extends OptionalFields {
  readonly action: string;
  /** `UNDEFINED` until it is known. */
  readonly result: TransactionWords['result'];
  readonly status: TransactionWords['status'];
  readonly order_id: string;
  readonly trans_id: string;
  /** The legacy signature. It does not cover the amount; nothing needs to be proved with it any more. */
  readonly hash: string;
  readonly [name: string]: CallbackData;
}

export type VerifiedCommandCallback = SignedCallback<CommandCallbackFields>;

const REQUIRED = ['action', 'result', 'status', 'order_id', 'trans_id', 'hash'];

/**
 * Checks that the callback of a server-to-server command comes from the service and is complete, and reads it: as `verifyCallback` does
 * for the callbacks of sessions, which have other fields.
 *
 * @throws RangeError for a secret that is none
 * @example
 * const checked = verifyCommandCallback({ body, headers: request.headers, secret: process.env.CALLBACK_SECRET, now: Date.now() });
 * if (!checked.ok) return new Response(checked.reason, { status: 400 });
 */
export const verifyCommandCallback = (request: VerifyCallback): CheckedSignature<CommandCallbackFields> =>
  readSignedCallback(request, isWhole);

const isWhole = (fields: Readonly<Record<string, CallbackData>>): fields is CommandCallbackFields =>
  areTexts(fields, REQUIRED);
