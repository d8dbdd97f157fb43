import { readPath } from '@railyard/core';
import type { SimulatedPayment, SimulatedRequest, Simulation } from '@railyard/core/simulation';
import { sampleAbsent, sampleSpent } from './payin.samples.ts';

/** The challenge of one payment, which no other payment may be made with. */
const challengeOf = ({ body }: SimulatedRequest) => `ch_${String(readPath(body, 'merchant_reference'))}`;

const shown = {
  reply: {
    id: 'transaction_id',
    merchantReference: 'merchant_reference',
    status: 'state',
    amount: 'amount',
    currency: 'currency',
  },
  compute: ({ payerUrl }: SimulatedPayment) => ({ checkout_url: payerUrl }),
  absent: { status: 404, body: sampleAbsent },
};

/** How a local provider plays the one that gives a challenge first. */
export const walletPayinSimulation: Simulation & { readonly page: object } = {
  page: { returnUrl: 'body.return_url' },
  course: (request) =>
    request.endpoint === 'create-transaction' && readPath(request.body, 'challenge_id') !== challengeOf(request)
      ? { refused: { status: 422, body: sampleSpent } }
      : undefined,
  endpoints: {
    'create-challenge': {
      effect: 'read',
      request: {},
      reply: {},
      answers: (request) => ({ challenge_id: challengeOf(request) }),
    },
    'create-transaction': {
      effect: 'charge',
      request: {
        merchantReference: 'body.merchant_reference',
        key: 'headers.request-key',
        amount: 'body.amount',
        currency: 'body.currency',
      },
      ...shown,
    },
    'get-transaction': { effect: 'read', request: { id: 'params.transaction_id' }, ...shown },
    'find-transaction': { effect: 'read', request: { merchantReference: 'params.reference' }, ...shown },
  },
  words: { settled: 'accepted', pending: 'created', declined: 'rejected' },
  notification: {
    url: 'body.notify_url',
    body: ({ id, merchantReference, status, amount, currency }, { id: event_id }) => ({
      event_id,
      transaction_id: id,
      merchant_reference: merchantReference,
      state: status,
      amount,
      currency,
    }),
  },
};
