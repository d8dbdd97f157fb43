import { minutesAfter, type SimulatedPayment, type Simulation } from '@railyard/core/simulation';
import { sampleAbsent } from './deposit.samples.ts';

const shown = {
  reply: { id: 'deposit', merchantReference: 'order', status: 'status', amount: 'amount', currency: 'currency' },
  compute: ({ createdAt }: SimulatedPayment) => ({ pay_before: minutesAfter(createdAt, 3 * 24 * 60) }),
  absent: { status: 404, body: sampleAbsent },
};

/** How a local provider plays the provider of deposits. */
export const bankDepositSimulation: Simulation = {
  endpoints: {
    'open-deposit': {
      ...shown,
      effect: 'charge',
      request: {
        merchantReference: 'body.order',
        key: 'headers.idempotency-key',
        amount: 'body.amount',
        currency: 'body.currency',
      },
    },
    'get-deposit': { effect: 'read', request: { id: 'params.deposit' }, ...shown },
    'find-deposit': { effect: 'read', request: { merchantReference: 'params.order' }, ...shown },
  },
  words: { settled: 'credited', pending: 'expected', declined: 'returned' },
  notification: {
    url: 'body.report_to',
    body: ({ id: deposit, merchantReference: order, status, amount, currency }) => ({
      deposit,
      order,
      status,
      amount,
      currency,
    }),
  },
};
