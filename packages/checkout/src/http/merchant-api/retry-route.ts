import {
  type Answer,
  type ErrorBody,
  issuesOfZod,
  refusedAnswer,
  type ValidationBody,
  validationAnswer,
} from '@railyard/core';
import * as z from 'zod';
import { sessionOf } from '../../payments/transitions/apply.ts';
import { charge } from '../../payments/operations/charge.ts';
import { type Effect, once } from '../../idempotency/once.ts';
import type { HeadedAnswer } from '../../idempotency/headed-answer.ts';
import type { MerchantApiDeps } from './deps.ts';
import { type Sent, SENT_BARE, withoutNeedOfHash } from '../../signatures/sent.ts';
import type { Asker } from '../../sessions/charge-session.ts';
import { accepted, type AcceptedBody } from './accepted.ts';
import { notOffered } from './chain-offered.ts';
import { findPayment, paymentErased, paymentNotFound } from './find-payment.ts';
import { readJsonBody } from '../basics/json-body.ts';
import { requiredText, signedBy } from '../basics/signed-request.ts';

const schema = z.object({ merchant_key: requiredText, payment_id: requiredText, hash: requiredText });

type Body = AcceptedBody | ValidationBody | ErrorBody;

/** `POST /api/v1/payment/retry`: a softly declined charge of a chain is tried again (reference: Recurring, retry, card credit). */
export async function paymentRetry(
  context: MerchantApiDeps,
  text: string,
  key?: string,
  sent: Sent = SENT_BARE,
): Promise<HeadedAnswer<Body>> {
  const read = readJsonBody(text);
  if (!read.ok) return read.answer;
  const parsed = schema.safeParse(withoutNeedOfHash(read.body, sent));
  if (!parsed.success) return validationAnswer(issuesOfZod(parsed.error, { input: read.body }));
  const { merchant_key, payment_id, hash } = parsed.data;
  const signed = await signedBy(
    context,
    { merchantKey: merchant_key, call: '/payment/retry', sent },
    'retry',
    { payment_id },
    hash,
  );
  if (!signed.ok) return signed.answer;
  const repeatable = { merchantKey: merchant_key, key, path: '/payment/retry', text };
  return once<Body>(context, repeatable, (effect) => tryAgain(context, signed, payment_id, effect));
}

async function tryAgain(
  context: MerchantApiDeps,
  { scope, merchant }: Pick<Asker, 'scope' | 'merchant'>,
  paymentId: string,
  { id, again }: Effect,
): Promise<Answer<Body>> {
  const { payments } = context.stores;
  const begun = again ? await payments.find(id) : undefined;
  if (begun !== undefined) return accepted(begun);
  const declined = await findPayment(context, scope, paymentId);
  if (declined === undefined) return paymentNotFound();
  const first = declined.chainId === null ? undefined : await payments.find(declined.chainId);
  if (first === undefined) return refusedAnswer('Payment action not supported.', 204005);
  if (declined.state !== 'declined' || declined.declineKind !== 'soft') return refusedAnswer(NOT_SOFT);
  if (declined.erasedAt !== null) return paymentErased();
  const session = await sessionOf(context, declined);
  const refused = notOffered(context, merchant, first, session.request);
  if (refused !== undefined) return refused;
  const charged = await charge(context, session, { id, first, retries: declined });
  return charged === undefined ? refusedAnswer('Previous payment not completed.') : accepted(charged);
}

/** No text is published for it. */
const NOT_SOFT = 'Not acceptable to request the retry for payment not softly declined.';
