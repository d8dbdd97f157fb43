import type { SimulatedEndpoint, Simulation } from '@railyard/core/simulation';

const absent = { status: 404, body: { error: 'unknown' } };
const code = {
  reply: { id: 'id', merchantReference: 'our_id', status: 'state', amount: 'total' },
} satisfies Partial<SimulatedEndpoint>;
const moneyBack = {
  reply: { modification: 'id', modificationReference: 'our_id', modificationStatus: 'state', amount: 'total' },
} satisfies Partial<SimulatedEndpoint>;

/** How a local provider plays Acme Pix. */
export const acmePixSimulation: Simulation = {
  endpoints: {
    'create-code': {
      effect: 'charge',
      request: {
        merchantReference: 'body.our_id',
        amount: 'body.total',
        currency: 'body.currency',
        key: 'headers.idempotency-key',
      },
      ...code,
    },
    'find-code': { effect: 'read', request: { merchantReference: 'params.our_id' }, ...code, absent },
    'create-return': {
      effect: 'refund',
      // The API tells of no refund that was made in its panel.
      unreported: true,
      request: {
        id: 'params.code',
        amount: 'body.total',
        key: 'headers.idempotency-key',
        modificationReference: 'body.our_id',
      },
      ...moneyBack,
      refused: { status: 422, body: { error: 'too_much' } },
      absent,
    },
    'find-return': { effect: 'read', request: { modificationReference: 'params.our_id' }, ...moneyBack, absent },
  },
  words: { settled: 'paid', pending: 'waiting', declined: 'expired' },
  notification: {
    url: 'body.hook',
    headers: ({ now }) => ({ 'x-timestamp': String(Math.floor(Date.parse(now) / 1000)) }),
    body: ({ id, merchantReference: reference, status, amount }, event) => ({
      event: event.id,
      code: { id, our_id: reference, state: status, total: amount },
    }),
  },
};
