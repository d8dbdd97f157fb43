import { jsonNumber, money, readPath } from '@railyard/core';
import { minutesAfter, type SimulatedPayment, type Simulation } from '@railyard/core/simulation';
import { networksOf } from './assets.ts';
import { simulatedAddress } from './simulated-address.ts';
import { sampleAbsent } from './gateway.samples.ts';

const absent = { status: 404, body: sampleAbsent };
const used = { status: 422, body: { code: 'DUPLICATE_REFERENCE', message: 'The reference was used before.' } };
const reply = {
  id: 'transaction.id',
  merchantReference: 'transaction.reference',
  status: 'transaction.status',
  amount: 'transaction.amount',
  currency: 'transaction.currency',
};
const request = {
  merchantReference: 'body.reference',
  amount: 'body.amount',
  currency: 'body.currency',
  key: 'body.reference',
};

/** A payment in a coin whose addresses are known shows one, any other a page, as one whose amount is the payer's does. */
function shownOf({ createdAt, payerUrl, request: asked, amount, currency }: SimulatedPayment) {
  const coin = String(readPath(asked, 'coin'));
  const network = networksOf(coin)?.[0];
  const isPage = readPath(asked, 'kind') !== 'pay-in-coin' || network === undefined;
  if (isPage) return { 'transaction.pay_url': payerUrl };
  return {
    'transaction.pay_url': undefined,
    'transaction.pay_to': {
      address: simulatedAddress(network, true),
      asset: coin,
      network,
      ...(currency === coin && { amount }),
    },
    'transaction.expires_at': minutesAfter(createdAt, 30),
  };
}

/** How a local provider plays the gateway. */
export const gatewaySimulation: Simulation & { readonly page: { readonly returnUrl: string } } = {
  openAmount: '40',
  page: { returnUrl: 'body.return_url' },
  endpoints: {
    'create-payment': { effect: 'charge', request, reply, compute: shownOf, used },
    'create-withdrawal': { effect: 'payout', request, reply, used },
    'get-transaction': { effect: 'read', request: { merchantReference: 'params.reference' }, reply, absent },
  },
  words: { settled: 'COMPLETED', pending: 'WAITING_FOR_PAYER', declined: 'REJECTED' },
  notification: {
    url: 'body.notify_url',
    body: ({ id, merchantReference: reference, status, amount, currency }, event) => ({
      event: event.id,
      transaction: { id, reference, status, amount: jsonNumber(money(amount, currency)), currency },
    }),
  },
};
