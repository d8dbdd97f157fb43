import type { SimulatedEndpoint, Simulation } from '@railyard/core/simulation';
import { sampleAbsent } from './example-pay.samples.ts';

const absent = { status: 404, body: sampleAbsent };

const reported = {
  reply: { id: 'id', merchantReference: 'reference', status: 'status', amount: 'amount', currency: 'currency' },
} satisfies Partial<SimulatedEndpoint>;

const refund = {
  reply: {
    id: 'payment_id',
    modification: 'id',
    modificationReference: 'reference',
    modificationStatus: 'status',
    amount: 'amount',
    currency: 'currency',
  },
  absent,
} satisfies Partial<SimulatedEndpoint>;

/** How a local provider plays Example Pay: where requests and replies carry what. Tests, demos and the playground use it. */
export const examplePaySimulation: Simulation = {
  endpoints: {
    'create-payment': {
      effect: 'charge',
      request: {
        merchantReference: 'body.reference',
        amount: 'body.amount',
        currency: 'body.currency',
        key: 'headers.idempotency-key',
      },
      ...reported,
      compute: ({ payerUrl }) => ({ payer_url: payerUrl }),
    },
    'get-payment': { effect: 'read', request: { id: 'params.id' }, ...reported, absent },
    'find-payment': { effect: 'read', request: { merchantReference: 'params.reference' }, ...reported, absent },
    'create-refund': {
      effect: 'refund',
      // The API tells of no refund that was made in its panel.
      unreported: true,
      request: {
        id: 'params.id',
        amount: 'body.amount',
        key: 'headers.idempotency-key',
        modificationReference: 'body.reference',
      },
      ...refund,
      refused: { status: 409, body: { code: 'not_refundable' } },
    },
    'find-refund': { effect: 'read', request: { modificationReference: 'params.reference' }, ...refund },
  },
  words: { settled: 'PAID', pending: 'OPEN', declined: 'FAILED' },
  page: { returnUrl: 'body.return_url' },
  notification: {
    url: 'body.notify_url',
    body: ({ id, merchantReference: reference, status, amount, currency }, event) => ({
      event_id: event.id,
      payment: { id, reference, status, amount, currency },
    }),
  },
};
