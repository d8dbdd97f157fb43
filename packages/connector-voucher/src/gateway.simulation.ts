import { readPath } from '@railyard/core';
import { minutesAfter, type SimulatedPayment, type Simulation } from '@railyard/core/simulation';
import { sampleAbsent, samplePinUnknown, sampleRefusal, sampleTicket } from './gateway.samples.ts';

const THREE_DAYS = 3 * 24 * 60;
/** The document of no person, and the PIN of no voucher. */
const UNKNOWN_DOCUMENT = '0000000000';
const UNKNOWN_PIN = '0000000000000000';

/** The page or the ticket of a way; a PIN leaves nothing to pay. */
function madeBy({ request, payerUrl, createdAt }: SimulatedPayment) {
  const way = readPath(request, 'way');
  if (way === 'cash-ticket')
    return { ticket: { ...sampleTicket.ticket, pay_before: minutesAfter(createdAt, THREE_DAYS) } };
  return way === 'pin-voucher' ? {} : { page: payerUrl };
}

const shown = {
  reply: { id: 'voucher_id', merchantReference: 'reference', status: 'state', amount: 'amount', currency: 'currency' },
  compute: madeBy,
  absent: { status: 404, body: sampleAbsent },
};

/** How a local provider plays the gateway of vouchers. */
export const voucherGatewaySimulation: Simulation & { readonly page: object } = {
  page: { returnUrl: 'body.return_url' },
  hidden: ['body.pin'],
  course: ({ body }) => {
    if (readPath(body, 'document_number') === UNKNOWN_DOCUMENT)
      return { refused: { status: 422, body: sampleRefusal } };
    return readPath(body, 'pin') === UNKNOWN_PIN ? { refused: { status: 422, body: samplePinUnknown } } : undefined;
  },
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
