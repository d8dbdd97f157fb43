import { TEXTS } from '@railyard/core';
import {
  type Answer,
  duplicateAnswer,
  type ErrorBody,
  issue,
  refusedAnswer,
  type SessionRequest,
  type ValidationBody,
  validationAnswer,
} from '@railyard/core/protocol';
import * as z from 'zod';
import { callbackDate } from '../../callbacks/content/callback-fields.ts';
import type { FirstRows } from '../../payments/state/held-rows.ts';
import { firstOf } from '../../payments/operations/mandate-first.ts';
import { mandateCharge } from '../../payments/operations/charge-mandate.ts';
import type { Resource } from '../../idempotency/with-idempotency.ts';
import type { MerchantApiDeps } from './deps.ts';
import { type Asker, chargeSession } from '../../sessions/charge-session.ts';
import type { Payment } from '../../storage/index.ts';
import { whyNotChargeable } from '../../payments/operations/mandate-chargeable.ts';
import { hashBy } from '../basics/call.ts';
import { defineApiCall, fieldsOf } from './api-call.ts';
import { orderDescription, positiveAmount, requiredText } from '../basics/signed-request.ts';

/** The answer to a later charge of a mandate (reference: Recurring, retry, card credit). */
interface RecurringBody {
  readonly payment_id: string;
  readonly date: string;
  readonly status: 'settled' | 'pending' | 'decline';
  readonly reason?: string;
  readonly order: {
    readonly number: string;
    readonly amount: string;
    readonly currency: string;
    readonly description: string;
  };
}

type Refused = Answer<ValidationBody | ErrorBody>;

/** Fields beyond the session's own rules; the currency is the first payment's, so the rest is checked once that is known. */
const schema = z.object({
  merchant_key: requiredText,
  recurring_init_trans_id: requiredText,
  recurring_token: requiredText,
  order: z.object(
    {
      number: requiredText.regex(/^[a-zA-Z0-9-]+$/, TEXTS.notValid),
      amount: positiveAmount,
      description: orderDescription,
    },
    TEXTS.blank,
  ),
  schedule_id: z.unknown().optional(),
  customer: z.unknown().optional(),
  custom_data: z.unknown().optional(),
  hash: requiredText,
});
type Body = z.output<typeof schema>;

/** `POST /api/v1/payment/recurring`: answered when the provider has answered. */
export const paymentRecurring = defineApiCall<Body, RecurringBody | ValidationBody | ErrorBody>({
  path: '/payment/recurring',
  check(_context, body) {
    const read = fieldsOf(schema, body);
    // Only the payment that a payer makes begins a schedule (protocol: schedule_id).
    const isScheduled = read.ok && read.fields.schedule_id != null;
    return isScheduled ? { ok: false, answer: validationAnswer([issue('schedule_id', TEXTS.unexpected)]) } : read;
  },
  signature: ({ merchant_key, recurring_init_trans_id, recurring_token, order, hash }) => ({
    merchantKey: merchant_key,
    call: '/payment/recurring',
    byHash: hashBy('recurring', { recurring_init_trans_id, recurring_token, ...order }, hash),
  }),
  handle: chargeMandate,
});

async function chargeMandate(
  context: MerchantApiDeps,
  asker: Asker,
  body: Body,
  resource: Resource,
): Promise<Answer<RecurringBody | ValidationBody | ErrorBody>> {
  const first = await firstOf(context, asker.scope, body);
  // Protocol: Errors, unknown init pair.
  if (first === undefined) return refusedAnswer('Incorrect transaction');
  const request = requestOf(context, first, body);
  if (!request.ok) return request.answer;
  const refused = whyNotChargeable(context, asker.merchant, first.payment, request.session);
  if (refused !== undefined) return refused;
  const session = await chargeSession(context, asker, request.session, resource);
  if (session === undefined) return duplicateAnswer();
  const { payments } = context.stores;
  const started = resource.isRetry ? await payments.find(resource.resourceId) : undefined;
  const charged = started ?? (await mandateCharge(context, session, { id: resource.resourceId, first }));
  if (charged === undefined) return refusedAnswer('Previous payment not completed.');
  return { status: 200, body: answerOf(charged, session.request) };
}

type ReadRequest =
  | { readonly ok: true; readonly session: SessionRequest }
  | { readonly ok: false; readonly answer: Refused };

/** The request of the charge as a session's: payer and currency are those of the first payment. */
function requestOf(context: MerchantApiDeps, { payment: first, session }: FirstRows, body: Body): ReadRequest {
  const { request: before } = session;
  const { merchant_key, hash, order, customer, custom_data } = body;
  const { success_url, billing_address } = before;
  const input = {
    merchant_key,
    operation: first.operation,
    success_url,
    hash,
    order: { ...order, currency: first.currency },
    ...(customer !== undefined && { customer }),
    ...(custom_data !== undefined && { custom_data }),
  };
  const today = new Date(context.now()).toISOString().slice(0, 10);
  const parsed = context.directory.registry.parse(input, { today });
  if (!parsed.ok) return { ok: false, answer: validationAnswer(parsed.issues) };
  const known = parsed.session.customer ?? before.customer;
  const charge: SessionRequest = {
    ...parsed.session,
    methods: [first.methodAlias],
    ...(known && { customer: known }),
    ...(billing_address && { billing_address }),
  };
  return { ok: true, session: charge };
}

function answerOf(payment: Payment, { order }: SessionRequest): RecurringBody {
  const { state, reason } = payment;
  const status = state === 'settled' ? 'settled' : state === 'declined' || state === 'expired' ? 'decline' : 'pending';
  return {
    payment_id: payment.id,
    date: callbackDate(payment.updatedAt.getTime()),
    status,
    ...(status === 'decline' && reason !== null && { reason: reason.slice(0, 1024) }),
    order: {
      number: order.number,
      amount: order.amount ?? '',
      currency: order.currency,
      description: order.description,
    },
  };
}
