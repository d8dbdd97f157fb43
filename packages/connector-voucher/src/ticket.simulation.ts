import { minutesAfter, type SimulatedPayment, type Simulation } from '@railyard/core/simulation';
import { sampleAbsent, sampleRefusal, sampleTicket } from './ticket.samples.ts';
import { readPath } from '@railyard/core';

const THREE_DAYS = 3 * 24 * 60;
/** The document of no person. */
export const UNKNOWN_DOCUMENT = '0000000000';

const shown = {
  reply: { id: 'ticket_id', merchantReference: 'reference', status: 'state', amount: 'amount', currency: 'currency' },
  compute: ({ createdAt }: SimulatedPayment) => ({
    number: sampleTicket.number,
    bar_code: sampleTicket.bar_code,
    pay_before: minutesAfter(createdAt, THREE_DAYS),
  }),
  absent: { status: 404, body: sampleAbsent },
};

/** How a local provider plays the one of tickets. */
export const ticketVoucherSimulation: Simulation = {
  course: ({ body }) =>
    readPath(body, 'document_number') === UNKNOWN_DOCUMENT
      ? { refused: { status: 422, body: sampleRefusal } }
      : undefined,
  endpoints: {
    'create-ticket': {
      ...shown,
      effect: 'charge',
      request: {
        merchantReference: 'body.reference',
        key: 'body.reference',
        amount: 'body.amount',
        currency: 'body.currency',
      },
      used: { status: 409, body: { code: 'REFERENCE_USED', message: 'The reference was used before.' } },
    },
    'get-ticket': { ...shown, effect: 'read', request: { id: 'params.ticket_id' } },
    'find-ticket': { ...shown, effect: 'read', request: { merchantReference: 'params.reference' } },
  },
  words: { settled: 'PAID', pending: 'ISSUED', declined: 'EXPIRED' },
  notification: {
    url: 'body.report_to',
    body: ({ id: ticket_id, merchantReference: reference, status: state, amount, currency }) => ({
      ticket_id,
      reference,
      state,
      amount,
      currency,
    }),
  },
};
