import {
  duplicateAnswer,
  issue,
  refusedAnswer,
  validationAnswer,
  type Answer,
  type ErrorBody,
  type Issue,
  type SessionRequest,
  type ValidationBody,
} from '@railyard/core/protocol';
import * as z from 'zod';
import { sessionOf } from '../../payments/change/apply.ts';
import { firstOf, mandateCharge, whyNotChargeable } from '../../payments/charge.ts';
import type { Resource } from '../../idempotency.ts';
import type { MerchantApiDeps } from '../deps.ts';
import { chargeSession, type Asker } from '../../sessions/session.ts';
import {
  accepted,
  acceptedSchema,
  bodyBy,
  defineApiCall,
  fieldsOf,
  findPayment,
  paymentErased,
  paymentNotFound,
  type AcceptedBody,
} from './api-call.ts';
import {
  hashBy,
  orderDescription,
  positiveAmount,
  requiredText,
  signedFields,
  type CheckedFields,
} from '../basics/call.ts';
import { date, orderSchema, reason, textField } from '../../callbacks/field-schemas.ts';
import { TEXTS } from '@railyard/core';
import { callbackDate } from '../../callbacks/fields.ts';
import type { KnownWithSession } from '../../payments/payment.ts';
import type { MerchantScope, Payment } from '../../storage/index.ts';
import { plainLatin } from '../../rules/browser/latin.js';
import { payOut, preparePayout, type CardPayout } from '../../payments/pay-by-command.ts';

/** Protocol: Card credit request fields; reference: Recurring, retry, card credit. What only the session's rules say is checked after the hash. */
const schemaCardCreditRoute = z
  .object({
    merchant_key: signedFields.merchant_key,
    order_id: requiredText.describe('The merchant’s number of the order; unique for 15 seconds.'),
    order_amount: positiveAmount.describe('The amount to pay out, `10.00`.'),
    order_currency: requiredText.describe('The currency to pay out in.'),
    order_description: orderDescription,
    card_number: requiredText.describe('The card that is paid to. Send this or `card_token`.').optional(),
    card_token: requiredText
      .length(64, TEXTS.exactLength(64))
      .describe('A saved card that is paid to. Send this or `card_number`.')
      .optional(),
    payee_first_name: requiredText.describe('First name of the payee.').optional(),
    payee_last_name: requiredText.describe('Last name of the payee.').optional(),
    payee_email: requiredText.describe('E-mail address of the payee.').optional(),
    payee_ip: z.union([z.ipv4(), z.ipv6()], { error: TEXTS.ip }).describe('IP address of the payee.').optional(),
    channel_id: requiredText.describe('Leads to the MIDs of that channel.').optional(),
    custom_data: z.unknown().describe('The merchant’s own data, an object; callbacks repeat it.').optional(),
    hash: signedFields.hash,
  })
  .check(({ value, issues }) => {
    const { card_number, card_token } = value;
    if ((card_number === undefined) !== (card_token === undefined)) return;
    const message = card_number === undefined ? TEXTS.blank : TEXTS.unexpected;
    issues.push({ code: 'custom', input: value, path: ['card_number'], message });
  });
type BodyCardCreditRoute = z.output<typeof schemaCardCreditRoute>;
type CreditBody = AcceptedBody | ValidationBody | ErrorBody;

/** `POST /api/v1/payment/card/credit`: a payout to a card; a callback of the type `credit` reports the result. */
export const cardCredit = defineApiCall({
  path: '/payment/card/credit',
  request: bodyBy(schemaCardCreditRoute),
  answer: acceptedSchema,
  signature: ({ merchant_key, order_id, order_amount, order_currency, order_description, hash }) => ({
    merchantKey: merchant_key,
    call: '/payment/card/credit',
    byHash: hashBy('card_credit', { order_id, order_amount, order_currency, order_description }, hash),
  }),
  handle: credit,
});

async function credit(
  context: MerchantApiDeps,
  asker: Asker,
  body: BodyCardCreditRoute,
  resource: Resource,
): Promise<Answer<CreditBody>> {
  const started = resource.isRetry ? await context.stores.payments.find(resource.resourceId) : undefined;
  if (started !== undefined) return accepted(started);
  const card = await cardOf(context, asker.scope, body);
  if (card === undefined) return validationAnswer([issue('card_token', TEXTS.notCorrect)]);
  const request = requestOfCardCreditRoute(context, body, card);
  if (!request.ok) return validationAnswer(request.issues.map(asSent));
  const prepared = preparePayout(context, asker.merchant, request.session, card);
  if (!prepared.ok) return validationAnswer(prepared.issues.map(asSent));
  const session = await chargeSession(context, asker, request.session, resource);
  if (session === undefined) return duplicateAnswer();
  await payOut(context, session, prepared, body.payee_ip);
  return accepted({ id: resource.resourceId, retryOf: null });
}

/** The card that is paid to: the number that was sent, or the merchant's saved card. */
async function cardOf(
  { vault, stores }: MerchantApiDeps,
  scope: MerchantScope,
  { card_number, card_token }: BodyCardCreditRoute,
): Promise<CardPayout | undefined> {
  if (card_number !== undefined) return { number: card_number };
  if (card_token === undefined) return undefined;
  const tokenHash = vault.tokenHash(card_token);
  const [kept] = await stores.cards.ofTokens(scope, [tokenHash]);
  return kept && { saved: { key: '0', tokenHash, brand: kept.brand, kept } };
}

type ReadRequestCardCreditRoute =
  | { readonly ok: true; readonly session: SessionRequest }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** The request as a session's. The names that were sent go before the one on the saved card (protocol: Credit with a saved token). */
function requestOfCardCreditRoute(
  context: MerchantApiDeps,
  body: BodyCardCreditRoute,
  card: CardPayout,
): ReadRequestCardCreditRoute {
  const { payee_first_name: first, payee_last_name: last, payee_email: email, custom_data, channel_id } = body;
  const sent = [first, last].filter((name) => name !== undefined).join(' ');
  const holder = card.saved && context.vault.openHolder(card.saved.kept);
  const input = {
    merchant_key: body.merchant_key,
    operation: 'credit',
    // Required of every session; no payer is redirected to it.
    success_url: context.config.publicUrl,
    hash: body.hash,
    order: {
      number: body.order_id,
      amount: body.order_amount,
      currency: body.order_currency,
      description: body.order_description,
    },
    payee: { name: sent === '' ? plainLatin(holder ?? '') : sent, ...(email !== undefined && { email }) },
    ...(body.card_token !== undefined && { card_token: [body.card_token] }),
    ...(channel_id !== undefined && { channel_id }),
    ...(custom_data !== undefined && { custom_data }),
  };
  return context.directory.registry.parse(input, { today: new Date(context.now()).toISOString().slice(0, 10) });
}

/** The session's field paths that have other names in this call. */
const NAMES: Readonly<Record<string, string>> = {
  'order.number': 'order_id',
  'order.amount': 'order_amount',
  'order.currency': 'order_currency',
  'order.description': 'order_description',
  'payee.name': 'payee_first_name',
  'payee.email': 'payee_email',
};

const asSent = ({ path, message, code }: Issue): Issue => ({ path: NAMES[path] ?? path, message, code });

/** The answer to a later charge of a mandate (reference: Recurring, retry, card credit). */
const recurringSchema = z.object({
  payment_id: textField('The payment of this charge.'),
  date,
  status: z
    .enum(['settled', 'pending', 'decline'])
    .describe('How the charge stands. `pending` also covers an outcome that is not known yet: wait for the callback.'),
  reason,
  order: orderSchema.describe('The order of this charge.'),
});

type RecurringBody = z.output<typeof recurringSchema>;

type Refused = Answer<ValidationBody | ErrorBody>;

/** Fields beyond the session's own rules; the currency is the first payment's, so the rest is checked once that is known. */
const schemaRecurringRoute = z.object({
  merchant_key: signedFields.merchant_key,
  recurring_init_trans_id: requiredText.describe('Of the callback of the first payment.'),
  recurring_token: requiredText.describe('Of the callback of the first payment.'),
  order: z
    .object(
      {
        number: requiredText
          .regex(/^[a-zA-Z0-9-]+$/, TEXTS.notValid)
          .describe('The merchant’s number of this charge’s order; unique for 15 seconds.'),
        amount: positiveAmount.describe('The amount to charge, in the currency of the first payment.'),
        description: orderDescription,
      },
      TEXTS.blank,
    )
    .describe('The order of this charge.'),
  schedule_id: z.unknown().describe('Refused: only the payment that a payer makes begins a schedule.').optional(),
  customer: z.unknown().describe('The payer, as in a session. Default: the payer of the first payment.').optional(),
  custom_data: z.unknown().describe('The merchant’s own data, an object; callbacks repeat it.').optional(),
  hash: signedFields.hash,
});
type BodyRecurringRoute = z.output<typeof schemaRecurringRoute>;

/** `POST /api/v1/payment/recurring`: answered when the provider has answered. */
export const paymentRecurring = defineApiCall({
  path: '/payment/recurring',
  request: {
    schema: schemaRecurringRoute,
    check(_context, body): CheckedFields<BodyRecurringRoute> {
      const read = fieldsOf(schemaRecurringRoute, body);
      // Only the payment that a payer makes begins a schedule (protocol: schedule_id).
      const isScheduled = read.ok && read.fields.schedule_id != null;
      return isScheduled ? { ok: false, answer: validationAnswer([issue('schedule_id', TEXTS.unexpected)]) } : read;
    },
  },
  answer: recurringSchema,
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
  body: BodyRecurringRoute,
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

/** The request of the charge as a session's: payer and currency come from the first payment. */
function requestOf(
  context: MerchantApiDeps,
  { payment: first, session }: KnownWithSession,
  body: BodyRecurringRoute,
): ReadRequest {
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

const schema = z.object({
  merchant_key: signedFields.merchant_key,
  payment_id: requiredText.describe('The softly declined charge.'),
  hash: signedFields.hash,
});

type Body = AcceptedBody | ValidationBody | ErrorBody;

/** `POST /api/v1/payment/retry`: a softly declined charge of a mandate is tried again (reference: Recurring, retry, card credit). */
export const paymentRetry = defineApiCall({
  path: '/payment/retry',
  request: bodyBy(schema),
  answer: acceptedSchema,
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
