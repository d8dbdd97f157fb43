/** Models a style and no provider: the payer is sent to a page of the provider, which pays the merchant and is paid later, or in parts. */
import {
  amountFields,
  amountOf,
  decimal,
  defineConnector,
  field,
  type FlowContext,
  type FollowUpFlows,
  money,
  type Money,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  type PaymentInput,
  providerApi,
  redirect,
  type References,
  reply,
  secret,
  statusTable,
  type Steps,
  timestampedHmac,
  visit,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import * as samples from './hosted.samples.ts';
import { hostedPaymentId, payLater, payLaterBasket } from './methods.ts';

const SOURCE = 'packages/connector-pay-later/README.md, Hosted provider';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  shop_id: field(z.string().min(1), { label: 'Id of the shop' }),
  api_key: secret(z.string().min(1), 'API key'),
  notification_secret: secret(z.string().min(16), 'Secret of the notification signature'),
});
type Settings = z.output<typeof settings>;

/** The states of orders and of refunds. */
const statuses = statusTable(
  {
    OPEN: 'pending',
    IN_REVIEW: 'pending',
    APPROVED: 'settled',
    REJECTED: { declined: 'soft', code: 'declined_by_provider', reason: 'The provider gives the buyer no credit.' },
    ABANDONED: { declined: 'soft', code: 'cancelled_by_payer' },
    EXPIRED: { declined: 'soft', code: 'timed_out' },
    REFUND_PENDING: 'pending',
    REFUNDED: 'settled',
    REFUND_FAILED: { declined: 'hard', code: 'not_completed' },
  },
  new Map([
    ['insufficient_credit', { kind: 'soft', code: 'insufficient_funds' }],
    ['buyer_blocked', { kind: 'hard', code: 'account_restricted' }],
  ]),
);

// Replies.

const stated = () => ({ state: z.string(), state_reason: z.string().max(64).optional(), ...amountFields });
const order = withAmount(
  z.object({
    order_id: z.string().min(1),
    /** Ours. */
    merchant_order: z.string().optional(),
    checkout_url: z.url({ protocol: /^https?$/ }).optional(),
    ...stated(),
  }),
);
const refund = withAmount(
  z.object({ refund_id: z.string().min(1), merchant_refund: z.string().optional(), ...stated() }),
);
const problem = z.object({ code: z.string().max(64), message: z.string().max(255).optional() });

type Order = z.output<typeof order>;
type Refund = z.output<typeof refund>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ shop_id, api_key }) => ({ 'x-shop': shop_id, authorization: `Bearer ${api_key}` }),
  keyHeader: 'x-request-id',
  visible: [
    'order_id',
    'merchant_order',
    'refund_id',
    'merchant_refund',
    'state',
    'state_reason',
    'amount',
    'currency',
    'product',
    'code',
  ],
  takenBefore: new Set(['order_exists', 'refund_exists']),
});

/** Asked by our own reference: there is no lookup by the provider's. */
const getOrder = api.lookup('get-order', '/v1/orders/{merchant_order}', {
  found: reply(200, order, samples.sampleApproved, samples.sampleRejected),
  absent: reply(404, problem, samples.sampleProblem),
});
const getRefund = api.lookup('get-refund', '/v1/refunds/{merchant_refund}', {
  found: reply(200, refund, samples.sampleRefund),
  absent: reply(404, problem, samples.sampleProblem),
});

type Purchase = Pick<PaymentInput, 'merchantReference' | 'order' | 'customer'> & { readonly amount: Money };

interface NewOrder {
  readonly payment: Purchase;
  /** The method, under its own key. */
  readonly product: string;
  /** The merchant's parameters under their own names (2-methods.md: forwarded to the payment provider). */
  readonly details: Readonly<Record<string, string | number | undefined>>;
  readonly urls: FlowContext<Settings>['urls'];
}

/** The provider keeps one order for each `x-request-id`. */
const createOrder = api.endpoint('create-order', 'POST /v1/orders', {
  repeat: 'keyed',
  request: ({ payment: { merchantReference, amount, order, customer }, product, details, urls }: NewOrder) => ({
    json: {
      merchant_order: merchantReference,
      amount: decimal(amount),
      currency: amount.currency,
      description: order.description,
      product,
      details,
      buyer: { name: customer?.name, email: customer?.email },
      return_url: urls.return,
      notification_url: urls.notify,
    },
  }),
  replies: {
    created: reply(201, order, samples.sampleOrder, samples.sampleRejected),
    refused: reply([422, 400, 402], problem, samples.sampleRefusal),
  },
});

interface NewRefund {
  readonly order: string;
  readonly merchant_refund: string;
  readonly amount: Money;
}

const createRefund = api.endpoint('create-refund', 'POST /v1/orders/{order}/refunds', {
  repeat: 'keyed',
  request: ({ order, merchant_refund, amount }: NewRefund) => ({
    params: { order },
    json: { merchant_refund, amount: decimal(amount), currency: amount.currency },
  }),
  replies: {
    created: reply(201, refund, samples.sampleRefund),
    refused: reply([422, 404, 409], problem, samples.sampleRefundRefusal),
  },
});

// Meaning of replies.

const factsOf = (said: Pick<Order, keyof ReturnType<typeof stated>>, providerReference: string) => ({
  word: said.state,
  code: said.state_reason,
  providerReference,
  amount: amountOf(said),
});

/** A page is shown where the payer has not been sent there: the reply with its address was lost. */
function orderOutcome({ order_id, merchant_order, checkout_url: url, ...said }: Order, asked: References): Outcome {
  const isLost = asked.providerReference === undefined && url !== undefined;
  const show = isLost ? redirect({ url }) : undefined;
  return ofThisPayment(statuses.read({ ...factsOf(said, order_id), show }), asked, merchant_order);
}

const refundOutcome = ({ refund_id, merchant_refund, ...said }: Refund, asked: References): Outcome =>
  ofThisPayment(statuses.read(factsOf(said, refund_id)), asked, merchant_refund);

const notifications = notificationsFor(settings)({
  verify: timestampedHmac(({ notification_secret }) => notification_secret),
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  // With `refund` it is about that refund, else about the order.
  body: z.object({ event_id: z.string().min(1), order, refund: refund.optional() }),
  events({ event_id: id, order: { order_id, merchant_order, ...said }, refund: given }) {
    if (given === undefined) return statuses.events(id, merchant_order, factsOf(said, order_id));
    const about = {
      id,
      providerReference: order_id,
      ...(merchant_order !== undefined && { merchantReference: merchant_order }),
    };
    return [{ ...about, kind: 'refund', provider: { status: given.state }, outcome: refundOutcome(given, {}) }];
  },
  acknowledge: { status: 202 },
  examples: [samples.sampleOrderNotification, samples.sampleRefundNotification].map((body) => ({
    body,
    source: SOURCE,
  })),
});

// The connector.

/** The payer agrees on the provider's page; what the browser brings back is a hint, so the order is looked up. */
function* pay({ payment, ...about }: NewOrder): Steps<Outcome> {
  const { merchantReference } = payment;
  let page: string | undefined;
  const opened = yield* api.outcome(createOrder, { payment, ...about }, ({ body }) => {
    page = body.checkout_url;
    return orderOutcome(body, { merchantReference });
  });
  if (opened.status !== 'pending' || page === undefined) return opened;
  const { providerReference } = opened;
  yield* visit({ purpose: 'pay', url: page, reference: providerReference, until: z.object({ order_id: z.string() }) });
  return yield* api.outcome(getOrder, merchantReference, ({ body }) =>
    orderOutcome(body, { merchantReference, providerReference }),
  );
}

/** The amounts with the decimals of their currency, however the merchant wrote them. */
function basketOf({
  amount: { currency },
  parameters,
}: PaymentInput<(typeof payLaterBasket)['operations']['purchase']>) {
  const { product_amount, shipping_amount, tax_amount, ...product } = parameters;
  const written = (text: string) => decimal(money(text, currency));
  return {
    ...product,
    product_amount: written(product_amount),
    shipping_amount: written(shipping_amount),
    tax_amount: written(tax_amount),
  };
}

const followUps = {
  status: ({ payment }) => api.outcome(getOrder, payment.merchantReference, ({ body }) => orderOutcome(body, payment)),

  refund: {
    partial: true,
    flow: ({ payment: { providerReference: order }, id: merchant_refund, amount }) =>
      api.outcome(createRefund, { order, merchant_refund, amount }, ({ body }) =>
        refundOutcome(body, { merchantReference: merchant_refund }),
      ),
  },

  modificationStatus: ({ modification: { id: merchantReference, providerReference } }) =>
    api.outcome(getRefund, merchantReference, ({ body }) =>
      refundOutcome(body, { merchantReference, providerReference }),
    ),
} satisfies FollowUpFlows<Settings>;

/** Pay later, and the hosted payment of Indonesia, on the page of a provider. */
export const hostedConnector = defineConnector({
  id: 'pay-later-hosted',
  contract: 1,
  version: manifest.version,
  title: 'Pay later, hosted page',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(hostedPaymentId, {
      purchase: ({ payment, urls }) =>
        pay({ payment, product: hostedPaymentId.key, details: payment.parameters, urls }),
      ...followUps,
    }),
    serve(payLater, {
      purchase: ({ payment, urls }) => pay({ payment, product: payLater.key, details: payment.parameters, urls }),
      ...followUps,
    }),
    serve(payLaterBasket, {
      purchase: ({ payment, urls }) => pay({ payment, product: payLaterBasket.key, details: basketOf(payment), urls }),
      ...followUps,
    }),
  ],
});
