import { readPath } from '@railyard/core';
import type { SimulatedPayment, Simulation } from '@railyard/core/simulation';
import { sampleAbsent, samplePayee } from './by-country.samples.ts';

/** In Mexico the payer transfers to an account; elsewhere they go to the page of their bank. */
const wayToPay = ({ request, payerUrl }: SimulatedPayment) =>
  readPath(request, 'country') === 'MX' ? { page: undefined, pay_to: samplePayee } : { page: payerUrl };

const shown = {
  reply: { id: 'order', merchantReference: 'ours', status: 'state', amount: 'amount', currency: 'currency' },
  compute: wayToPay,
  absent: { status: 404, body: sampleAbsent },
};

/** How a local provider plays the provider of transfers by country. */
export const bankByCountrySimulation: Simulation & { readonly page: object } = {
  page: { returnUrl: 'body.back_to' },
  endpoints: {
    'list-banks': { effect: 'read', request: {}, reply: {} },
    'open-order': {
      ...shown,
      effect: 'charge',
      request: {
        merchantReference: 'body.ours',
        key: 'headers.idempotency-key',
        amount: 'body.amount',
        currency: 'body.currency',
      },
    },
    'get-order': { effect: 'read', request: { id: 'params.order' }, ...shown },
    'find-order': { effect: 'read', request: { merchantReference: 'params.ours' }, ...shown },
  },
  words: { settled: 'paid', pending: 'waiting', declined: 'denied' },
  notification: {
    url: 'body.report_to',
    body: ({ id: order, merchantReference: ours, status: state, amount, currency }, { id: event }) => ({
      event,
      order,
      ours,
      state,
      amount,
      currency,
    }),
  },
};
