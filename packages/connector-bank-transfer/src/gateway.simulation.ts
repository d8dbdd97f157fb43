import type { SimulatedPayment, Simulation } from '@railyard/core/simulation';
import { sampleAbsent } from './gateway.samples.ts';

const shown = {
  reply: { id: 'transfer_id', merchantReference: 'our_id', status: 'state', amount: 'amount', currency: 'currency' },
  compute: ({ payerUrl }: SimulatedPayment) => ({ bank_page: payerUrl }),
  absent: { status: 404, body: sampleAbsent },
};

/** How a local provider plays the gateway. */
export const bankGatewaySimulation: Simulation & { readonly page: object } = {
  page: { returnUrl: 'body.back_to' },
  endpoints: {
    'open-transfer': {
      effect: 'charge',
      request: {
        merchantReference: 'body.our_id',
        key: 'headers.x-request-key',
        amount: 'body.amount',
        currency: 'body.currency',
      },
      ...shown,
    },
    'get-transfer': { effect: 'read', request: { id: 'params.transfer_id' }, ...shown },
    'find-transfer': { effect: 'read', request: { merchantReference: 'params.our_id' }, ...shown },
  },
  words: { settled: 'done', pending: 'opened', declined: 'refused' },
  notification: {
    url: 'body.report_to',
    body: (payment, { id: event }) => ({
      event,
      transfer_id: payment.id,
      our_id: payment.merchantReference,
      state: payment.status,
      amount: payment.amount,
      currency: payment.currency,
    }),
  },
};
