import type { SimulatedEndpoint, Simulation } from '@railyard/core/simulation';

const told = {
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
  absent: { status: 404, body: { code: 'not_found' } },
} satisfies Partial<SimulatedEndpoint>;

const absent = { status: 404, body: { code: 'not_found' } };

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
      ...told,
      compute: ({ payerUrl }) => ({ payer_url: payerUrl }),
    },
    'get-payment': { effect: 'read', request: { id: 'params.id' }, ...told, absent },
    'find-payment': { effect: 'read', request: { merchantReference: 'params.reference' }, ...told, absent },
    'create-refund': {
      effect: 'refund',
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
