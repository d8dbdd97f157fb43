import { minutesAfter, type SimulatedPayment, type Simulation } from '@railyard/core/simulation';
import { simulatedCode } from './simulated-code.ts';

const absent = { status: 404, body: { error: 'No such collection.' } };
const reported = {
  reply: { id: 'id', merchantReference: 'reference', status: 'status', amount: 'amount', currency: 'currency' },
  compute: (payment: SimulatedPayment) => ({
    qrCode: simulatedCode(payment.id),
    expiryDate: minutesAfter(payment.createdAt, 24 * 60),
  }),
};

/** How a local provider plays the collection provider. */
export const collectionSimulation: Simulation = {
  endpoints: {
    'create-collection': {
      effect: 'charge',
      request: {
        merchantReference: 'body.reference',
        amount: 'body.amount',
        currency: 'body.currency',
        key: 'headers.idempotency-key',
      },
      ...reported,
    },
    'get-collection': { effect: 'read', request: { id: 'params.id' }, ...reported, absent },
    'find-collection': { effect: 'read', request: { merchantReference: 'params.reference' }, ...reported, absent },
  },
  words: { settled: 'PAID', pending: 'CREATED', declined: 'FAILED' },
  notification: {
    url: 'body.callbackUrl',
    body: ({ id, merchantReference: reference, status, amount, currency }) => ({
      id,
      reference,
      status,
      amount,
      currency,
    }),
  },
};
