import type { Simulation } from '@railyard/core/simulation';
import { sampleAbsent } from './narrative.samples.ts';

const reply = {
  id: 'Response.TransactionReference',
  merchantReference: 'Response.ExternalReference',
  status: 'Response.TransactionStatus',
  amount: 'Response.Amount',
  currency: 'Response.CurrencyCode',
};
const reference = 'body.Request.ExternalReference';

/** How a local provider plays the one of Uganda. */
export const narrativeSimulation: Simulation = {
  endpoints: {
    'create-deposit': {
      effect: 'charge',
      request: {
        merchantReference: reference,
        amount: 'body.Request.Amount',
        currency: 'body.Request.Currency',
        key: reference,
      },
      reply,
    },
    'find-transaction': {
      effect: 'read',
      request: { merchantReference: reference },
      reply,
      absent: { status: 200, body: sampleAbsent },
    },
  },
  words: { settled: 'SUCCEEDED', pending: 'PENDING', declined: 'FAILED' },
  notification: {
    url: 'body.Request.NotificationUrl',
    body: ({ id, merchantReference: ours, status, amount, currency }) => ({
      transaction_reference: id,
      external_reference: ours,
      status,
      amount,
      currency,
    }),
  },
};
