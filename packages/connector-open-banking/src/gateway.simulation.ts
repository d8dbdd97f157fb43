import type { SimulatedPayment, Simulation } from '@railyard/core/simulation';
import { unknownOne } from './gateway.samples.ts';

const absent = { status: 404, body: unknownOne };
const reported = {
  reply: {
    id: 'transaction_id',
    merchantReference: 'merchant_reference',
    status: 'status',
    amount: 'amount',
    currency: 'currency',
  },
  compute: ({ payerUrl }: SimulatedPayment) => ({ redirect_url: payerUrl }),
};
const reference = 'body.merchant_reference';

/** How a local provider plays the redirect gateway. */
export const gatewaySimulation: Simulation & { readonly page: object } = {
  page: { returnUrl: 'body.return_url', values: ({ id }) => ({ transaction_id: id }) },
  endpoints: {
    'open-transaction': {
      effect: 'charge',
      request: { merchantReference: reference, key: reference, amount: 'body.amount', currency: 'body.currency' },
      ...reported,
      used: { status: 422, body: { error_code: 'DUPLICATE_REFERENCE' } },
    },
    'get-transaction': { effect: 'read', request: { id: 'params.id' }, ...reported, absent },
    'find-transaction': { effect: 'read', request: { merchantReference: 'params.reference' }, ...reported, absent },
  },
  words: { settled: 'PAID', pending: 'NEW', declined: 'FAILED' },
  notification: {
    url: 'body.notify_url',
    body: ({ id, merchantReference: ours, status, amount, currency }) => ({
      transaction_id: id,
      merchant_reference: ours,
      status,
      amount,
      currency,
    }),
  },
};
