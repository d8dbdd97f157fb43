import type { SimulatedPayment, Simulation } from '@railyard/core/simulation';
import { sampleAbsent } from './redirect.samples.ts';

const reference = 'body.merchant_reference';
const absent = { status: 404, body: sampleAbsent };
const reported = {
  reply: {
    id: 'voucher_id',
    merchantReference: 'merchant_reference',
    status: 'state',
    amount: 'amount',
    currency: 'currency',
  },
  compute: ({ payerUrl }: SimulatedPayment) => ({ page: payerUrl }),
};

/** How a local provider plays the one with two headers. */
export const redirectVoucherSimulation: Simulation & { readonly page: object } = {
  page: { returnUrl: 'body.return_url' },
  endpoints: {
    'create-voucher': {
      effect: 'charge',
      request: { merchantReference: reference, key: reference, amount: 'body.amount', currency: 'body.currency' },
      ...reported,
    },
    'get-voucher': { effect: 'read', request: { id: 'params.id' }, ...reported, absent },
    'find-voucher': { effect: 'read', request: { merchantReference: 'params.reference' }, ...reported, absent },
  },
  words: { settled: 'paid', pending: 'open', declined: 'expired' },
  notification: {
    url: 'body.notify_url',
    body: ({ id, merchantReference, status, amount, currency }) => ({
      voucher_id: id,
      merchant_reference: merchantReference,
      state: status,
      amount,
      currency,
    }),
  },
};
