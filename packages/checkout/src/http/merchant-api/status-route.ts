import {
  type Answer,
  type ErrorBody,
  issuesOfZod,
  notFoundCode,
  refusedAnswer,
  validationAnswer,
} from '@railyard/core/protocol';
import * as z from 'zod';
import { browserFor } from '../../callbacks/fields.ts';
import { mandateTokens } from '../../payments/payment.ts';
import { isFailed, type StatusBody, statusBody, statusSchema, unpaidBody } from '../../payments/status.ts';
import type { Asker } from '../../sessions/session.ts';
import type { MerchantScope, Payment } from '../../storage/index.ts';
import { type CheckedFields, hashBy, signedFields } from '../basics/call.ts';
import { checkObject } from '../basics/request.ts';
import { requiredText } from '../basics/call.ts';
import { defineApiCall, fieldsOf } from './api-call.ts';
import type { MerchantApiDeps } from '../deps.ts';
import { paymentNotFound } from './api-call.ts';

const byPayment = z.object({
  merchant_key: signedFields.merchant_key,
  payment_id: requiredText.describe('The payment, as callbacks name it.'),
  hash: signedFields.hash,
});
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
  merchant_key: signedFields.merchant_key,
  order_id: requiredText.describe('The number of the order. Of several attempts to pay, the newest is answered.'),
  hash: signedFields.hash,
  size: wholeSize.describe('Asks for a list: up to so many payments of the order, newest first, 1 to 100.').optional(),
});

type Fields = z.output<typeof byPayment> | z.output<typeof byOrder>;

/** `POST /api/v1/payment/status`: by payment or by order, whichever the body names (reference: Status lookup). */
export const paymentStatus = defineApiCall({
  path: '/payment/status',
  readsOnly: true,
  request: {
    schema: z.union([byPayment, byOrder]),
    check: (_context, body): CheckedFields<Fields> =>
      namesOrder(body) ? orderFields(body) : fieldsOf(byPayment, body),
  },
  answer: z.union([statusSchema, z.array(statusSchema)]),
  signature: (fields) => ({
    merchantKey: fields.merchant_key,
    call: '/payment/status',
    byHash:
      'order_id' in fields
        ? hashBy('status_by_order', { order_id: fields.order_id }, fields.hash)
        : hashBy('status_by_payment', { payment_id: fields.payment_id }, fields.hash),
  }),
  handle: (context, asker, fields) =>
    'order_id' in fields ? statusByOrder(context, asker.scope, fields) : statusByPayment(context, asker, fields),
});

const namesOrder = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'order_id' in body && !('payment_id' in body);

/** A wrong size has a refusal of its own, which other faults come before. */
function orderFields(body: unknown): CheckedFields<z.output<typeof byOrder>> {
  const object = checkObject(body);
  if (!object.ok) return object;
  const parsed = byOrder.safeParse(object.body);
  if (parsed.success) return { ok: true, fields: parsed.data };
  const others = issuesOfZod(parsed.error, { input: object.body }).filter(({ path }) => path !== 'size');
  return {
    ok: false,
    answer: others.length === 0 ? refusedAnswer('size should be within 1..100') : validationAnswer(others),
  };
}

async function statusByPayment(
  context: MerchantApiDeps,
  asker: Pick<Asker, 'scope' | 'merchant'>,
  { payment_id }: z.output<typeof byPayment>,
): Promise<Answer<StatusBody | ErrorBody>> {
  const id = z.uuid().safeParse(payment_id).success ? payment_id.toLowerCase() : undefined;
  const found = id === undefined ? undefined : await findPayment(context, asker, id);
  return found === undefined ? paymentNotFound() : { status: 200, body: found };
}

async function statusByOrder(
  context: MerchantApiDeps,
  scope: MerchantScope,
  { order_id, size }: z.output<typeof byOrder>,
): Promise<Answer<StatusBody | StatusBody[] | ErrorBody>> {
  const found = await findOrder(context, scope, order_id, size ?? 1);
  const [newest] = found;
  if (newest === undefined) return refusedAnswer('Order does not exist.', notFoundCode);
  return { status: 200, body: size === undefined ? newest : found };
}

/** A payment of this merchant; before its first payment, a session under the id that the payment will have. */
async function findPayment(
  context: MerchantApiDeps,
  { scope, merchant }: Pick<Asker, 'scope' | 'merchant'>,
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
    const mandate = await mandateTokens(context, payment);
    const browser = await browserFor(context, payment, context.directory.merchantOf(session)?.config.statusData ?? []);
    return statusBody(context, payment, { session, card: cards.get(payment.cardId ?? ''), mandate, browser });
  });
  return Promise.all(bodies);
}

const cardIdOf = ({ cardId }: Payment) => (cardId === null ? [] : [cardId]);
