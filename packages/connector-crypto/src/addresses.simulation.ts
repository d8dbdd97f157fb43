import { readPath } from '@railyard/core';
import type { SimulatedPayment, Simulation } from '@railyard/core/simulation';
import { sampleAbsent } from './addresses.samples.ts';
import { simulatedAddress } from './simulated-address.ts';

const absent = { status: 404, body: sampleAbsent };
const named = { id: 'address.id', merchantReference: 'address.reference' };

const textOf = (request: unknown, place: string) => String(readPath(request, place) ?? '');

function addressOf({ request, amount }: SimulatedPayment) {
  const network = textOf(request, 'network');
  return {
    'address.asset': textOf(request, 'asset'),
    'address.network': network,
    'address.address': simulatedAddress(network, textOf(request, 'format') === 'newer'),
    // A coin is worth one of any currency here.
    'address.amount': readPath(request, 'price.amount') === undefined ? undefined : amount,
  };
}

/** The whole amount in one output. Coins of a price in fiat are worth as much as its currency. */
function depositsOf({ id, amount, currency, status, request }: SimulatedPayment, isPaid: boolean) {
  const confirmations = isPaid ? Number.parseInt(textOf(request, 'confirmations'), 10) : 0;
  const asset = textOf(request, 'asset');
  return [{ txid: `tx-${id}`, output: 0, status, confirmations, asset, amount, value: { amount, currency } }];
}

/** How a local provider plays the one that gives addresses. */
export const addressesSimulation: Simulation = {
  openAmount: '0.25',
  endpoints: {
    'create-address': {
      effect: 'charge',
      request: {
        merchantReference: 'body.reference',
        amount: 'body.price.amount',
        currency: 'body.price.currency',
        key: 'headers.idempotency-key',
      },
      reply: named,
      compute: addressOf,
    },
    'find-address': {
      effect: 'read',
      request: { merchantReference: 'params.reference' },
      reply: named,
      compute: addressOf,
      absent,
    },
    'list-deposits': {
      effect: 'read',
      request: { id: 'params.id' },
      reply: named,
      compute: (payment) => ({
        ...addressOf(payment),
        deposits: payment.status === 'confirmed' ? depositsOf(payment, true) : [],
      }),
      absent,
    },
  },
  words: { settled: 'confirmed', pending: 'seen', declined: 'rejected' },
  notification: {
    url: 'body.notify_url',
    body: (payment) => {
      const { id, merchantReference: reference } = payment;
      const { request } = payment;
      const network = textOf(request, 'network');
      return {
        address: {
          id,
          reference,
          address: simulatedAddress(network, textOf(request, 'format') === 'newer'),
          asset: textOf(request, 'asset'),
          network,
        },
        deposits: depositsOf(payment, payment.status === 'confirmed'),
      };
    },
  },
};
