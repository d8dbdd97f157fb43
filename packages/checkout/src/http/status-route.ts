import {
  type Answer,
  type ErrorBody,
  issue,
  type Issue,
  statusWord,
  TEXTS,
  type ValidationBody,
  validationAnswer,
  verifySignature,
} from '@railyard/core';
import * as z from 'zod';
import { callbackDate } from '../callbacks/callback-body.ts';
import { stateOf } from '../payments/payment-state.ts';
import type { ServiceContext } from '../service-context.ts';
import { readStoredSession } from '../sessions/open-session.ts';
import type { Payment } from '../storage/index.ts';

const text = z.string(TEXTS.blank).min(1, TEXTS.blank).max(255, TEXTS.tooLong(255));
const requestSchema = z.object({ merchant_key: text, payment_id: text, hash: text }, TEXTS.type('object'));

/** The answer of a status lookup (reference: Status lookup). Statuses are lower case, `decline` and not `declined`. */
interface StatusBody {
  readonly payment_id: string;
  readonly date: string;
  readonly status: string;
  readonly reason?: string;
  readonly order: {
    readonly number: string;
    readonly amount: string;
    readonly currency: string;
    readonly description: string;
  };
  readonly customer?: { readonly name?: string | undefined; readonly email?: string | undefined };
}

/** `POST /api/v1/payment/status` by payment. */
export async function paymentStatus(
  context: ServiceContext,
  body: unknown,
): Promise<Answer<StatusBody | ValidationBody | ErrorBody>> {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success)
    return validationAnswer(
      parsed.error.issues.map((each): Issue => issue(each.path.join('.') || 'body', each.message)),
    );
  const { merchant_key, payment_id, hash } = parsed.data;
  const merchant = context.directory.find(merchant_key)?.merchant;
  const signature = verifySignature({
    formula: 'status_by_payment',
    fields: { payment_id },
    password: merchant?.config.password,
    digest: merchant?.config.digest ?? 'both',
    given: hash,
  });
  if (!signature.ok || merchant === undefined) return validationAnswer([issue('hash', TEXTS.hash)]);
  const payment = z.uuid().safeParse(payment_id).success
    ? await context.stores.payments.findOfMerchant(merchant.config.key, payment_id.toLowerCase())
    : undefined;
  if (payment === undefined)
    return { status: 400, body: { http_code: 400, error_code: '101000', error_message: 'Payment does not exist.' } };
  return { status: 200, body: await statusBody(context, payment) };
}

async function statusBody(context: ServiceContext, payment: Payment): Promise<StatusBody> {
  const stored = payment.sessionId === null ? undefined : await context.stores.sessions.find(payment.sessionId);
  if (stored === undefined) throw new Error(`Payment ${payment.id} has no session.`);
  const { order, customer } = readStoredSession(context, stored).request;
  return {
    payment_id: payment.id,
    date: callbackDate(payment.updatedAt.getTime()),
    status: statusWord(stateOf(payment)),
    ...(payment.state === 'declined' && payment.reason !== null && { reason: payment.reason }),
    order: {
      number: order.number,
      amount: order.amount ?? payment.received?.text ?? '',
      currency: order.currency,
      description: order.description,
    },
    ...(customer && { customer: { name: customer.name, email: customer.email } }),
  };
}
