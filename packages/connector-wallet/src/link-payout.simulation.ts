import { JsonNumberLiteral } from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';
import { sampleAbsent, sampleUsed } from './link-payout.samples.ts';

const shown = {
  reply: { id: 'payout_id', merchantReference: 'reference', status: 'status', amount: 'amount', currency: 'currency' },
  absent: { status: 404, body: sampleAbsent },
};
const ours = 'body.reference';

/** How a local provider plays the one of payouts by a link. The answer to the question is never kept. */
export const linkPayoutSimulation: Simulation = {
  endpoints: {
    'send-payout': {
      ...shown,
      effect: 'payout',
      request: { merchantReference: ours, key: ours, amount: 'body.amount', currency: 'body.currency' },
      used: { status: 409, body: sampleUsed },
    },
    'get-payout': { ...shown, effect: 'read', request: { id: 'params.payout_id' } },
    'find-payout': { ...shown, effect: 'read', request: { merchantReference: 'params.reference' } },
  },
  words: { settled: 'taken', pending: 'sent', declined: 'rejected' },
  hidden: ['body.security.answer'],
  notification: {
    url: 'body.notify_url',
    body: ({ id: payout_id, merchantReference: reference, status, amount, currency }, { id: event_id }) => ({
      event_id,
      payout_id,
      reference,
      status,
      amount: new JsonNumberLiteral(amount),
      currency,
    }),
  },
};
