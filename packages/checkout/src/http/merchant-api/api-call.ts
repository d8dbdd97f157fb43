import { notFoundCode, refusedAnswer, type Answer, type ErrorBody, type ValidationBody } from '@railyard/core/protocol';
import * as z from 'zod';
import { textField } from '../../callbacks/field-schemas.ts';
import type { HeadedAnswer } from '../../idempotency.ts';
import { SENT_BARE, type Sent } from '../../signatures.ts';
import { checkedBy, runCall, type CallSpec, type CheckedFields } from '../basics/call.ts';
import { checkObject, parseJson } from '../basics/request.ts';
import type { MerchantApiDeps } from '../deps.ts';
import type { MerchantScope, Payment } from '../../storage/index.ts';
import { publicId } from '../../payments/payment.ts';

/** The answer to a call that starts at once and is reported by callback: a capture, a refund, a retry, a payout to a card. */
export const acceptedSchema = z.object({
  payment_id: textField('The payment.'),
  result: z.literal('accepted').describe('Accepted and begun. A callback reports the outcome.'),
});

export type AcceptedBody = z.output<typeof acceptedSchema>;

export const accepted = (payment: Pick<Payment, 'id' | 'retryOf'>): Answer<AcceptedBody> => ({
  status: 200,
  body: { payment_id: publicId(payment), result: 'accepted' },
});

/** A call of `/api/v1`. */
export interface ApiCall<B = object> {
  /** The body of a request. */
  readonly request: z.ZodType;
  /** The body of the answer to a request that was carried out. It describes the answer and is not checked. */
  readonly answer: z.ZodType<B>;
  /** @param text of the body, because it is kept and hashed */
  readonly handle: (
    context: MerchantApiDeps,
    text: string,
    idempotencyKey?: string,
    sent?: Sent,
  ) => Promise<HeadedAnswer<B | ValidationBody | ErrorBody>>;
}

type Spec<F, B> = CallSpec<MerchantApiDeps, F, B | ValidationBody | ErrorBody>;

/** The schema of a body, and how the body is checked. */
interface RequestBody<F> extends Pick<Spec<F, unknown>, 'check'> {
  readonly schema: z.ZodType;
}

/** A body that its schema alone checks. */
export const bodyBy = <F>(schema: z.ZodType<F>): RequestBody<F> => ({
  schema,
  check: (_context, body) => fieldsOf(schema, body),
});

interface ApiCallSpec<F, B> extends Omit<Spec<F, B>, 'check'> {
  readonly request: RequestBody<F>;
  readonly answer: z.ZodType<B>;
  /** Only reads: each request gets the present state, and its idempotency key is ignored. */
  readonly readsOnly?: true;
}

/** A call of `/api/v1`: a JSON body through the pipeline of all calls. */
export function defineApiCall<F, B>({ request, answer, readsOnly, ...spec }: ApiCallSpec<F, B>): ApiCall<B> {
  const call: Spec<F, B> = { ...spec, check: request.check };
  return {
    request: request.schema,
    answer,
    async handle(context, text, key, sent = SENT_BARE) {
      const read = parseJson(text);
      if (!read.ok) return read.answer;
      const idempotencyKey = readsOnly === true ? undefined : key;
      return runCall(context, call, { body: read.body, idempotencyKey, sent }, () => text);
    },
  };
}

/** The fields of every body other than a session's, within the limits of bodies. */
export function fieldsOf<F>(schema: z.ZodType<F>, body: unknown): CheckedFields<F> {
  const object = checkObject(body);
  return object.ok ? checkedBy(schema, object.body) : object;
}

/** The merchant's payment that a call names, as its newest try. */
export async function findPayment(
  context: MerchantApiDeps,
  scope: MerchantScope,
  id: string,
): Promise<Payment | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  return context.stores.payments.findOfMerchant(scope, id.toLowerCase());
}

export const paymentNotFound = (): Answer<ErrorBody> => refusedAnswer('Payment does not exist.', notFoundCode);

/** Of a payment whose personal data retention has removed: its provider cannot be asked for anything with it any more. */
export const paymentErased = (): Answer<ErrorBody> =>
  refusedAnswer('The data of the payment has been removed after the retention period.');
