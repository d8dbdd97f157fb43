import { type Answer, type ErrorBody, refusedAnswer, type ValidationBody } from '@railyard/core/protocol';
import * as z from 'zod';
import { sessionOf } from '../../payments/transitions/apply.ts';
import { mandateCharge } from '../../payments/operations/charge-mandate.ts';
import type { Resource } from '../../idempotency/with-idempotency.ts';
import type { MerchantApiDeps } from './deps.ts';
import type { Asker } from '../../sessions/charge-session.ts';
import { accepted, type AcceptedBody } from './accepted.ts';
import { whyNotChargeable } from '../../payments/operations/mandate-chargeable.ts';
import { findPayment, paymentErased, paymentNotFound } from './find-payment.ts';
import { hashBy } from '../basics/call.ts';
import { defineApiCall, fieldsOf } from './api-call.ts';
import { requiredText } from '../basics/signed-request.ts';

const schema = z.object({ merchant_key: requiredText, payment_id: requiredText, hash: requiredText });

type Body = AcceptedBody | ValidationBody | ErrorBody;

/** `POST /api/v1/payment/retry`: a softly declined charge of a mandate is tried again (reference: Recurring, retry, card credit). */
export const paymentRetry = defineApiCall<z.output<typeof schema>, Body>({
  path: '/payment/retry',
  check: (_context, body) => fieldsOf(schema, body),
  signature: ({ merchant_key, payment_id, hash }) => ({
    merchantKey: merchant_key,
    call: '/payment/retry',
    byHash: hashBy('retry', { payment_id }, hash),
  }),
  handle: (context, asker, { payment_id }, resource) => tryAgain(context, asker, payment_id, resource),
});

async function tryAgain(
  context: MerchantApiDeps,
  { scope, merchant }: Pick<Asker, 'scope' | 'merchant'>,
  paymentId: string,
  { resourceId: id, isRetry }: Resource,
): Promise<Answer<Body>> {
  const { payments } = context.stores;
  const started = isRetry ? await payments.find(id) : undefined;
  if (started !== undefined) return accepted(started);
  const declined = await findPayment(context, scope, paymentId);
  if (declined === undefined) return paymentNotFound();
  const first = declined.mandateId === null ? undefined : await payments.find(declined.mandateId);
  if (first === undefined) return refusedAnswer('Payment action not supported.', 204005);
  if (declined.state !== 'declined' || declined.declineKind !== 'soft') return refusedAnswer(NOT_SOFT);
  if (declined.erasedAt !== null) return paymentErased();
  const session = await sessionOf(context, declined);
  const refused = whyNotChargeable(context, merchant, first, session.request);
  if (refused !== undefined) return refused;
  const charged = await mandateCharge(context, session, {
    id,
    first: { payment: first, session: await sessionOf(context, first) },
    retries: declined,
  });
  return charged === undefined ? refusedAnswer('Previous payment not completed.') : accepted(charged);
}

/** No text is published for it. */
const NOT_SOFT = 'Not acceptable to request the retry for payment not softly declined.';
