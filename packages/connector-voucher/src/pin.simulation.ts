import { readPath } from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';
import { sampleAbsent, sampleRefusal } from './pin.samples.ts';

const reported = {
  reply: { id: 'id', merchantReference: 'reference', status: 'status', amount: 'amount', currency: 'currency' },
};

/** The PIN of no voucher. */
export const UNKNOWN_PIN = '0000000000000000';

/** How a local provider plays the one of vouchers with a PIN. */
export const pinVoucherSimulation: Simulation = {
  hidden: ['body.pin'],
  course: ({ body }) =>
    readPath(body, 'pin') === UNKNOWN_PIN ? { refused: { status: 422, body: sampleRefusal } } : undefined,
  endpoints: {
    redeem: {
      effect: 'charge',
      request: {
        merchantReference: 'body.reference',
        key: 'body.reference',
        amount: 'body.amount',
        currency: 'body.currency',
      },
      ...reported,
      used: { status: 409, body: { code: 'REFERENCE_USED', message: 'The reference was used before.' } },
    },
    'find-redemption': {
      effect: 'read',
      request: { merchantReference: 'params.reference' },
      ...reported,
      absent: { status: 404, body: sampleAbsent },
    },
  },
  words: { settled: 'REDEEMED', pending: 'PROCESSING', declined: 'FAILED' },
};
