import type { ErrorBody, ValidationBody } from '@railyard/core/protocol';
import type * as z from 'zod';
import type { HeadedAnswer } from '../../idempotency/headed-answer.ts';
import { type Sent, SENT_BARE } from '../../signatures/sent.ts';
import { type CallSpec, type CheckedFields, checkedBy, runCall } from '../basics/call.ts';
import { checkObject, parseJson } from '../basics/json-body.ts';
import type { MerchantApiDeps } from './deps.ts';

/** A call of `/api/v1` with the text of its body, because that is kept and hashed, its header `Idempotency-Key`, and how it came. */
export type ApiCall<B = unknown> = (
  context: MerchantApiDeps,
  text: string,
  idempotencyKey?: string,
  sent?: Sent,
) => Promise<HeadedAnswer<B | ValidationBody | ErrorBody>>;

interface ApiCallSpec<F, B> extends CallSpec<MerchantApiDeps, F, B> {
  /** Changes nothing: each request is answered as things are, whatever its key. */
  readonly readsOnly?: true;
}

/** A call of `/api/v1`: a JSON body through the pipeline of all calls. */
export const defineApiCall =
  <F, B>(spec: ApiCallSpec<F, B>): ApiCall<B> =>
  async (context, text, key, sent = SENT_BARE) => {
    const read = parseJson(text);
    if (!read.ok) return read.answer;
    const idempotencyKey = spec.readsOnly === true ? undefined : key;
    return runCall(context, spec, { body: read.body, idempotencyKey, sent }, () => text);
  };

/** The fields of every body other than a session's, within the limits of bodies. */
export function fieldsOf<F>(schema: z.ZodType<F>, body: unknown): CheckedFields<F> {
  const object = checkObject(body);
  return object.ok ? checkedBy(schema, object.body) : object;
}
