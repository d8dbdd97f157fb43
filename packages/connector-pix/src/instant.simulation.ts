import {
  minutesAfter,
  type SimulatedEndpoint,
  type SimulatedPayment,
  type Simulation,
} from '@railyard/core/simulation';
import { simulatedCode } from './simulated-code.ts';

const absent = { status: 404, body: { code: 'not_found', message: 'No such payment.' } };
const used = { status: 422, body: { code: 'external_id_taken', message: 'The id was used before.' } };
const charge = {
  reply: {
    id: 'qr_code_id',
    merchantReference: 'external_id',
    status: 'status',
    amount: 'amount',
    currency: 'currency',
  },
  compute: (payment: SimulatedPayment) => ({
    pix_copy_and_paste: simulatedCode(payment.id),
    expires_at: minutesAfter(payment.createdAt, 60),
  }),
} satisfies Partial<SimulatedEndpoint>;
const payout = {
  reply: { ...charge.reply, id: 'payout_id' },
} satisfies Partial<SimulatedEndpoint>;
const made = { merchantReference: 'body.external_id', amount: 'body.amount', currency: 'body.currency' };

/** How a local provider plays the instant provider. */
export const instantSimulation: Simulation = {
  endpoints: {
    'create-charge': { effect: 'charge', request: { ...made, key: 'body.external_id' }, ...charge, used },
    'get-charge': { effect: 'read', request: { id: 'params.qr_code_id' }, ...charge, absent },
    'find-charge': { effect: 'read', request: { merchantReference: 'params.external_id' }, ...charge, absent },
    'renew-charge': {
      effect: 'renew',
      request: { id: 'params.qr_code_id', key: 'headers.idempotency-key' },
      ...charge,
      absent,
      refused: { status: 422, body: { code: 'not_renewable', message: 'The charge is no longer pending.' } },
    },
    'create-payout': { effect: 'payout', request: { ...made, key: 'headers.idempotency-key' }, ...payout, used },
    'find-payout': { effect: 'read', request: { merchantReference: 'params.external_id' }, ...payout, absent },
  },
  words: { settled: 'PAID', pending: 'PENDING', declined: 'REJECTED' },
  notification: {
    url: 'body.callback_url',
    body: ({ id, merchantReference: reference, status, amount, currency }, event) => ({
      event_id: event.id,
      event: 'payment.updated',
      created_at: event.now,
      data: { id, external_id: reference, status, amount, currency },
    }),
  },
};
