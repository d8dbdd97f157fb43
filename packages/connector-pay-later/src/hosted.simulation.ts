import type { SimulatedEndpoint, SimulatedModification, SimulatedPayment, Simulation } from '@railyard/core/simulation';
import { sampleProblem, sampleRefundRefusal } from './hosted.samples.ts';

const absent = { status: 404, body: sampleProblem };
const refused = { status: 422, body: sampleRefundRefusal };

const orderView = ({ id, merchantReference, status, amount, currency }: SimulatedPayment) => ({
  order_id: id,
  merchant_order: merchantReference,
  state: status,
  amount,
  currency,
});
const refundView = ({ id, merchantReference, status, amount, currency }: SimulatedModification) => ({
  refund_id: id,
  merchant_refund: merchantReference,
  state: status,
  amount,
  currency,
});

const orders = {
  reply: {
    id: 'order_id',
    merchantReference: 'merchant_order',
    status: 'state',
    amount: 'amount',
    currency: 'currency',
  },
  compute: ({ payerUrl: checkout_url }) => ({ checkout_url, state_reason: undefined }),
  absent,
} satisfies Partial<SimulatedEndpoint>;
const refunds = {
  reply: {
    modification: 'refund_id',
    modificationReference: 'merchant_refund',
    modificationStatus: 'state',
    amount: 'amount',
    currency: 'currency',
  },
  absent,
  refused,
} satisfies Partial<SimulatedEndpoint>;

/** How a local provider plays the one with the hosted page. */
export const hostedSimulation: Simulation & { readonly page: object } = {
  page: { returnUrl: 'body.return_url', values: ({ id: order_id }) => ({ order_id }) },
  endpoints: {
    'create-order': {
      effect: 'charge',
      request: {
        key: 'headers.x-request-id',
        merchantReference: 'body.merchant_order',
        amount: 'body.amount',
        currency: 'body.currency',
      },
      ...orders,
      used: { status: 422, body: { code: 'order_exists', message: 'There is an order of this name.' } },
    },
    'get-order': { effect: 'read', request: { merchantReference: 'params.merchant_order' }, ...orders },
    'create-refund': {
      effect: 'refund',
      request: {
        key: 'headers.x-request-id',
        id: 'params.order',
        modificationReference: 'body.merchant_refund',
        amount: 'body.amount',
        currency: 'body.currency',
      },
      ...refunds,
      used: { status: 409, body: { code: 'refund_exists', message: 'There is a refund of this name.' } },
    },
    'get-refund': { effect: 'read', request: { modificationReference: 'params.merchant_refund' }, ...refunds },
  },
  words: { settled: 'APPROVED', pending: 'OPEN', declined: 'REJECTED' },
  effectWords: { refund: { settled: 'REFUNDED', pending: 'REFUND_PENDING', declined: 'REFUND_FAILED' } },
  notification: {
    url: 'body.notification_url',
    body: (payment, { id: event_id }) => ({ event_id, order: orderView(payment) }),
    modification: (refund, payment, { id: event_id }) => ({
      event_id,
      order: orderView(payment),
      refund: refundView(refund),
    }),
  },
};
