import { readPath } from '@railyard/core';
import { minutesAfter, type SimulatedPayment, type Simulation } from '@railyard/core/simulation';
import { sampleAbsent, sampleRefusal, sampleTicket } from './gateway.samples.ts';

const THREE_DAYS = 3 * 24 * 60;
/** The document of no person. */
export const UNKNOWN_DOCUMENT = '0000000000';

const shown = {
  reply: { id: 'voucher_id', merchantReference: 'reference', status: 'state', amount: 'amount', currency: 'currency' },
  compute: ({ request, payerUrl, createdAt }: SimulatedPayment) =>
    readPath(request, 'way') === 'cash-ticket'
      ? { ticket: { ...sampleTicket.ticket, pay_before: minutesAfter(createdAt, THREE_DAYS) } }
      : { page: payerUrl },
  absent: { status: 404, body: sampleAbsent },
};

/** How a local provider plays the gateway of vouchers. */
export const voucherGatewaySimulation: Simulation & { readonly page: object } = {
  page: { returnUrl: 'body.return_url' },
  course: ({ body }) =>
    readPath(body, 'document_number') === UNKNOWN_DOCUMENT
      ? { refused: { status: 422, body: sampleRefusal } }
      : undefined,
  endpoints: {
    'create-voucher': {
      ...shown,
      effect: 'charge',
      request: {
        merchantReference: 'body.reference',
        key: 'body.reference',
        amount: 'body.amount',
        currency: 'body.currency',
      },
      used: { status: 409, body: { code: 'reference_used', message: 'The reference was used before.' } },
    },
    'get-voucher': { ...shown, effect: 'read', request: { id: 'params.voucher_id' } },
    'find-voucher': { ...shown, effect: 'read', request: { merchantReference: 'params.reference' } },
  },
  words: { settled: 'paid', pending: 'open', declined: 'expired' },
  notification: {
    url: 'body.notify_url',
    body: ({ id: voucher_id, merchantReference: reference, status: state, amount, currency }) => ({
      voucher_id,
      reference,
      state,
      amount,
      currency,
    }),
  },
};
