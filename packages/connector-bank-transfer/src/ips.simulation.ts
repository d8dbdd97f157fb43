import { minutesAfter, type SimulatedPayment, type Simulation } from '@railyard/core/simulation';
import { buildIpsQr } from '@railyard/identifiers/ips-qr';
import { sampleAbsent, sampleNotRenewable } from './ips.samples.ts';

/** Published in a sample of the National Bank of Serbia. */
const ACCOUNT = '840000000095584510';

/** The text of a code: the standard's in RSD, the bank's own in other currencies. */
function textOf({ id, amount, currency }: SimulatedPayment): string {
  if (currency !== 'RSD') return `IPS:${currency}:${amount}:${id}`;
  const built = buildIpsQr({
    kind: 'EK',
    account: ACCOUNT,
    payee: 'Simulated shop',
    amount,
    purposeCode: '289',
    purpose: id.slice(0, 35),
  });
  if (!built.ok)
    throw new Error(`No IPS code can be written for the payment ${id}: ${built.reason} at ${built.field}.`);
  return built.text;
}

const shown = {
  reply: { id: 'code_id', merchantReference: 'order_ref', status: 'status', amount: 'amount', currency: 'currency' },
  compute: (payment: SimulatedPayment) => ({
    qr_text: textOf(payment),
    expires_at: minutesAfter(payment.createdAt, 1),
  }),
  absent: { status: 404, body: sampleAbsent },
};

/** The code of a notification for each word of a lookup. */
const CODES: Readonly<Record<string, string>> = { EXECUTED: 'ACSC', REJECTED: 'RJCT', PENDING: 'PDNG' };

/** How a local provider plays the bank. */
export const bankIpsSimulation: Simulation = {
  endpoints: {
    'create-code': {
      ...shown,
      effect: 'charge',
      request: {
        merchantReference: 'body.order_ref',
        key: 'headers.idempotency-key',
        amount: 'body.amount',
        currency: 'body.currency',
      },
    },
    'renew-code': {
      ...shown,
      effect: 'renew',
      request: { id: 'params.code_id', key: 'headers.idempotency-key' },
      refused: { status: 409, body: sampleNotRenewable },
    },
    'get-code': { effect: 'read', request: { id: 'params.code_id' }, ...shown },
    'find-code': { effect: 'read', request: { merchantReference: 'params.order_ref' }, ...shown },
  },
  words: { settled: 'EXECUTED', pending: 'PENDING', declined: 'REJECTED' },
  notification: {
    url: 'body.report_to',
    body: ({ id, merchantReference, status, amount, currency }, { id: event_id }) => ({
      event_id,
      code_id: id,
      order_ref: merchantReference,
      code: CODES[status] ?? status,
      amount,
      currency,
    }),
  },
};
