import type { SimulatedPayment, Simulation } from '@railyard/core/simulation';
import { identificationTypes } from './identifications.ts';
import { unknownOne } from './initiation.samples.ts';

const absent = { status: 404, body: unknownOne };
const reported = {
  reply: { id: 'id', merchantReference: 'reference', status: 'status', amount: 'amount', currency: 'currency' },
  compute: ({ payerUrl }: SimulatedPayment) => ({ authorization_url: payerUrl }),
};

/** How a local provider plays the one that initiates payments. */
export const initiationSimulation: Simulation & { readonly page: object } = {
  // One of them may be the number of a card.
  hidden: identificationTypes.map((_type, at): `body.${string}` => `body.payee.identifications.${at}.identification`),
  page: { returnUrl: 'body.redirect_url', values: ({ id }) => ({ payment_id: id }) },
  endpoints: {
    authenticate: { effect: 'credential', request: {}, reply: {} },
    'list-banks': { effect: 'read', request: {}, reply: {} },
    'create-payment': {
      effect: 'charge',
      request: {
        merchantReference: 'body.reference',
        key: 'headers.idempotency-key',
        amount: 'body.amount',
        currency: 'body.currency',
      },
      ...reported,
    },
    'get-payment': { effect: 'read', request: { id: 'params.id' }, ...reported, absent },
    'find-payment': { effect: 'read', request: { merchantReference: 'params.reference' }, ...reported, absent },
  },
  words: { settled: 'ACSC', pending: 'RCVD', declined: 'RJCT' },
  notification: {
    url: 'body.notify_url',
    body: ({ id, merchantReference: reference, status, amount, currency }, event) => ({
      event_id: event.id,
      payment: { id, reference, status, amount, currency },
    }),
  },
};
