import type { Simulation } from '@railyard/core/simulation';
import { sampleAbsent } from './payout.samples.ts';

const shown = {
  reply: { id: 'payout_id', merchantReference: 'reference', status: 'state', amount: 'amount', currency: 'currency' },
  absent: { status: 404, body: sampleAbsent },
};

/** How a local provider plays the one of payouts. */
export const bankPayoutSimulation: Simulation = {
  endpoints: {
    'create-payout': {
      ...shown,
      effect: 'payout',
      request: {
        merchantReference: 'body.reference',
        key: 'body.reference',
        amount: 'body.amount',
        currency: 'body.currency',
      },
      used: { status: 409, body: { code: 'REFERENCE_USED', message: 'The reference was used before.' } },
    },
    'get-payout': { ...shown, effect: 'read', request: { id: 'params.payout_id' } },
    'find-payout': { ...shown, effect: 'read', request: { merchantReference: 'params.reference' } },
  },
  words: { settled: 'PAID', pending: 'ACCEPTED', declined: 'REJECTED' },
  notification: {
    url: 'body.report_to',
    body: ({ id: payout_id, merchantReference: reference, status: state, amount, currency }, { id: event_id }) => ({
      event_id,
      payout: { payout_id, reference, state, amount, currency },
    }),
  },
};
