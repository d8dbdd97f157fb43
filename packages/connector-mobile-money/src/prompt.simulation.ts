import { readPath } from '@railyard/core';
import { minutesAfter, type SimulatedPayment, type Simulation } from '@railyard/core/simulation';
import { CODE_NEEDED, sampleAbsent } from './prompt.samples.ts';

const absent = { status: 404, body: sampleAbsent };
const reply = { id: 'id', merchantReference: 'reference', status: 'status', amount: 'amount', currency: 'currency' };
const until = ({ createdAt }: SimulatedPayment) => ({ expires_at: minutesAfter(createdAt, 2) });

/** A request that a code confirms says so until it is settled or declined. */
const created = (payment: SimulatedPayment) =>
  readPath(payment.request, 'confirmation') === 'code' && payment.status === 'waiting'
    ? { ...until(payment), status: CODE_NEEDED }
    : until(payment);

/** How a local provider plays the prompts. Every code is taken. */
export const promptSimulation: Simulation = {
  endpoints: {
    'create-request': {
      effect: 'charge',
      request: {
        merchantReference: 'body.reference',
        amount: 'body.amount',
        currency: 'body.currency',
        key: 'headers.idempotency-key',
      },
      reply,
      compute: created,
      used: { status: 422, body: { code: 'key_in_use', message: 'The key was used before.' } },
    },
    'send-code': { effect: 'read', request: { id: 'params.id' }, reply, compute: until, absent },
    'resend-code': { effect: 'read', request: { id: 'params.id' }, reply: { id: 'id' }, absent },
    'get-request': { effect: 'read', request: { id: 'params.id' }, reply, compute: until, absent },
    'find-request': {
      effect: 'read',
      request: { merchantReference: 'params.reference' },
      reply,
      compute: until,
      absent,
    },
  },
  words: { settled: 'confirmed', pending: 'waiting', declined: 'declined' },
  notification: {
    url: 'body.notify_url',
    body: ({ id, merchantReference: reference, status, amount, currency }, event) => ({
      event_id: event.id,
      request: { id, reference, status, amount, currency },
    }),
  },
};
