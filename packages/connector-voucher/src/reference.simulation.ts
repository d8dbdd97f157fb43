import { minutesAfter, type SimulatedPayment, type Simulation } from '@railyard/core/simulation';
import { sampleAbsent, sampleUsed } from './reference.samples.ts';

const THREE_DAYS = 3 * 24 * 60;
const absent = { status: 404, body: sampleAbsent };
const reported = {
  reply: {
    id: 'reference',
    merchantReference: 'merchant_id',
    status: 'state',
    amount: 'amount',
    currency: 'currency',
  },
};
const withExpiry = {
  ...reported,
  compute: ({ createdAt }: SimulatedPayment) => ({ expires_at: minutesAfter(createdAt, THREE_DAYS) }),
};
const merchantId = 'body.merchant_id';

/** How a local provider plays the one of three steps. */
export const referenceVoucherSimulation: Simulation = {
  endpoints: {
    authre: { effect: 'credential', request: {}, reply: {} },
    'create-reference': {
      effect: 'charge',
      request: { merchantReference: merchantId, key: merchantId, amount: 'body.amount', currency: 'body.currency' },
      ...reported,
      used: { status: 409, body: sampleUsed },
    },
    // It changes nothing about the money: what it is about is open since its reference was made.
    'create-payment': { effect: 'read', request: { id: 'params.reference' }, ...withExpiry, absent },
    'get-reference': { effect: 'read', request: { id: 'params.reference' }, ...withExpiry, absent },
    'find-reference': { effect: 'read', request: { merchantReference: 'params.merchant_id' }, ...withExpiry, absent },
  },
  words: { settled: 'PAID', pending: 'OPEN', declined: 'EXPIRED' },
  notification: {
    body: ({ id, merchantReference, status, amount, currency }) => ({
      reference: id,
      merchant_id: merchantReference,
      state: status,
      amount,
      currency,
    }),
  },
};
