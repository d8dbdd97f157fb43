import { jsonNumber, minorUnits, money, readPath } from '@railyard/core';
import type { SimulatedPayment, Simulation } from '@railyard/core/simulation';
import { simulatedCode } from './simulated-code.ts';

const absent = { status: 404, body: { error: { code: 'not_found', message: 'No such payment.' } } };
const reported = {
  reply: { id: 'id', merchantReference: 'reference', status: 'status', amount: 'amount', currency: 'currency' },
  compute: (payment: SimulatedPayment) =>
    readPath(payment.request, 'presentation') === 'page'
      ? { pix_code: undefined, payment_url: payment.payerUrl }
      : { pix_code: simulatedCode(payment.id) },
};

/** How a local provider plays the one that wants the payer's document. */
export const payerIdSimulation: Simulation & { readonly page: { readonly returnUrl: string } } = {
  page: { returnUrl: 'body.return_url' },
  amounts: 'minor-units',
  endpoints: {
    authenticate: { effect: 'credential', request: {}, reply: {} },
    'create-payment': {
      effect: 'charge',
      request: { merchantReference: 'body.reference', amount: 'body.amount', currency: 'body.currency' },
      ...reported,
    },
    'get-payment': { effect: 'read', request: { id: 'params.id' }, ...reported, absent },
    'find-payment': { effect: 'read', request: { merchantReference: 'params.reference' }, ...reported, absent },
  },
  words: { settled: 'approved', pending: 'waiting', declined: 'refused' },
  notification: {
    url: 'body.notify_url',
    body: ({ id, merchantReference: reference, status, amount, currency }, event) => ({
      event_id: event.id,
      payment: { id, reference, status, amount: jsonNumber(money(amount, currency), minorUnits), currency },
    }),
  },
};
