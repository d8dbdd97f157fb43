import { readPath } from '@railyard/core';
import type { SimulatedPayment, Simulation } from '@railyard/core/simulation';
import { sampleAbsent, sampleCode, samplePayee, samplePrompt } from './gateway.samples.ts';

/** A way is paid by a code, in the app of the bank, on its page, or in Mexico to an account. */
function wayToPay({ request, payerUrl }: SimulatedPayment) {
  const way = readPath(request, 'way');
  if (way === 'bank-redirect' && readPath(request, 'country') === 'MX')
    return { bank_page: undefined, pay_to: samplePayee };
  if (way === 'qr-th') return { bank_page: undefined, qr_text: sampleCode.qr_text };
  return way === 'bank-account' ? { bank_page: undefined, prompt: samplePrompt.prompt } : { bank_page: payerUrl };
}

const shown = {
  reply: { id: 'transfer_id', merchantReference: 'our_id', status: 'state', amount: 'amount', currency: 'currency' },
  compute: wayToPay,
  absent: { status: 404, body: sampleAbsent },
};

const opening = {
  ...shown,
  effect: 'charge',
  request: {
    merchantReference: 'body.our_id',
    key: 'headers.x-request-key',
    amount: 'body.amount',
    currency: 'body.currency',
  },
} as const;

/** How a local provider plays the gateway. */
export const bankGatewaySimulation: Simulation & { readonly page: object } = {
  page: { returnUrl: 'body.back_to' },
  endpoints: {
    'open-code': { ...opening, where: { 'body.way': 'qr-th' } },
    'open-prompt': { ...opening, where: { 'body.way': 'bank-account' } },
    'open-by-country': { ...opening, where: { 'body.way': 'bank-redirect' } },
    'open-transfer': opening,
    'list-banks': { effect: 'read', request: {}, reply: {} },
    'get-transfer': { effect: 'read', request: { id: 'params.transfer_id' }, ...shown },
    'find-transfer': { effect: 'read', request: { merchantReference: 'params.our_id' }, ...shown },
  },
  words: { settled: 'done', pending: 'opened', declined: 'refused' },
  notification: {
    url: 'body.report_to',
    body: (payment, { id: event }) => ({
      event,
      transfer_id: payment.id,
      our_id: payment.merchantReference,
      state: payment.status,
      amount: payment.amount,
      currency: payment.currency,
    }),
  },
};
