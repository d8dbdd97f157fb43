import { issuesOfZod, notFoundCode, refusedAnswer, TEXTS, validationAnswer } from '@railyard/core';
import * as z from 'zod';
import { chainTokens } from '../../payments/state/chain.ts';
import { isFailed, type StatusBody, statusBody, unpaidBody } from '../../payments/operations/status-body.ts';
import type { HeadedAnswer } from '../../idempotency/headed-answer.ts';
import type { MerchantApiDeps } from './deps.ts';
import { type Sent, SENT_BARE, withoutNeedOfHash } from '../../signatures/sent.ts';
import type { MerchantScope, Payment } from '../../storage/index.ts';
import { paymentNotFound } from './find-payment.ts';
import { readJsonBody } from '../basics/json-body.ts';
import { requiredText, type SignedBy, signedBy } from '../basics/signed-request.ts';

type StatusAnswer = HeadedAnswer<unknown>;

const byPayment = z.object({ merchant_key: requiredText, payment_id: requiredText, hash: requiredText });
/** Clients send the size as a string too. */
const wholeSize = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,3}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(1).max(100));
const byOrder = z.object({
  merchant_key: requiredText,
  order_id: requiredText,
  hash: requiredText,
  size: wholeSize.optional(),
});

/** `POST /api/v1/payment/status`: by payment or by order, whichever the body names (reference: Status lookup). */
export async function paymentStatus(
  context: MerchantApiDeps,
  requestText: string,
  _key?: string,
  sent: Sent = SENT_BARE,
): Promise<StatusAnswer> {
  const read = readJsonBody(requestText);
  if (!read.ok) return read.answer;
  const body = withoutNeedOfHash(read.body, sent);
  return 'order_id' in body && !('payment_id' in body)
    ? statusByOrder(context, body, sent)
    : statusByPayment(context, body, sent);
}

async function statusByPayment(context: MerchantApiDeps, body: object, sent: Sent): Promise<StatusAnswer> {
  const parsed = byPayment.safeParse(body);
  if (!parsed.success) return validationAnswer(issuesOfZod(parsed.error, { input: body }));
  const { merchant_key, payment_id, hash } = parsed.data;
  const signed = await signedBy(
    context,
    { merchantKey: merchant_key, call: '/payment/status', sent },
    'status_by_payment',
    { payment_id },
    hash,
  );
  if (!signed.ok) return signed.answer;
  const id = z.uuid().safeParse(payment_id).success ? payment_id.toLowerCase() : undefined;
  const found = id === undefined ? undefined : await findPayment(context, signed, id);
  return found === undefined ? paymentNotFound() : { status: 200, body: found };
}

/** A payment of this merchant; before its first payment, a session under the id that the payment will have. */
async function findPayment(
  context: MerchantApiDeps,
  { scope, merchant }: Pick<Extract<SignedBy, { ok: true }>, 'scope' | 'merchant'>,
  id: string,
): Promise<StatusBody | undefined> {
  const { payments, sessions } = context.stores;
  const named = await payments.findOfMerchant(scope, id);
  // Reference: Status lookup, "Cascading Context for Get Status".
  const ofTry = named !== undefined && merchant.config.cascadingContext ? await payments.ofTry(named) : [];
  // One that was declined may be paid late.
  const payment = ofTry.find((each) => !isFailed(each)) ?? ofTry[0] ?? named;
  if (payment !== undefined) return (await bodiesOf(context, [payment]))[0];
  const session = await sessions.find(id);
  if (session?.merchantKey !== scope.merchantKey || session.test !== scope.test) return undefined;
  return session.attempts === 0 ? unpaidBody(context, session) : undefined;
}

async function statusByOrder(context: MerchantApiDeps, body: object, sent: Sent): Promise<StatusAnswer> {
  const parsed = byOrder.safeParse(body);
  if (!parsed.success) {
    const issues = issuesOfZod(parsed.error, { input: body });
    const others = issues.filter(({ path }) => path !== 'size');
    return others.length === 0 ? refusedAnswer(TEXTS.size) : validationAnswer(others);
  }
  const { merchant_key, order_id, hash, size } = parsed.data;
  const signed = await signedBy(
    context,
    { merchantKey: merchant_key, call: '/payment/status', sent },
    'status_by_order',
    { order_id },
    hash,
  );
  if (!signed.ok) return signed.answer;
  const found = await findOrder(context, signed.scope, order_id, size ?? 1);
  const [newest] = found;
  if (newest === undefined) return refusedAnswer('Order does not exist.', notFoundCode);
  return { status: 200, body: size === undefined ? newest : found };
}

/** The payments of an order, newest first; where there is none yet, its newest session. */
async function findOrder(
  context: MerchantApiDeps,
  scope: MerchantScope,
  orderNumber: string,
  limit: number,
): Promise<StatusBody[]> {
  const { payments, sessions } = context.stores;
  const found = await payments.ofOrder(scope, orderNumber, limit);
  if (found.length > 0) return bodiesOf(context, found);
  const session = await sessions.newestOfOrder(scope, orderNumber);
  return session === undefined ? [] : [unpaidBody(context, session)];
}

async function bodiesOf(context: MerchantApiDeps, payments: readonly Payment[]): Promise<StatusBody[]> {
  const ids = new Set(payments.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId])));
  const sessions = new Map((await context.stores.sessions.findAll([...ids])).map((each) => [each.id, each]));
  const cards = new Map(
    (await context.stores.cards.findAll(payments.flatMap(cardIdOf))).map((each) => [each.id, each]),
  );
  const bodies = payments.map(async (payment) => {
    const session = sessions.get(payment.sessionId ?? '');
    if (session === undefined) throw new Error(`Payment ${payment.id} has no session.`);
    const chain = await chainTokens(context, payment);
    return statusBody(context, payment, { session, card: cards.get(payment.cardId ?? ''), chain });
  });
  return Promise.all(bodies);
}

const cardIdOf = ({ cardId }: Payment) => (cardId === null ? [] : [cardId]);
