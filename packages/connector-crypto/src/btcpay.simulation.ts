import { decimal, money, readPath } from '@railyard/core';
import type { SimulatedEndpoint, SimulatedModification, SimulatedPayment, Simulation } from '@railyard/core/simulation';
import {
  sampleAbsent,
  sampleClaim,
  sampleInvalid,
  sampleInvoice,
  sampleMethod,
  samplePayment,
  samplePayout,
  samplePayoutUpdated,
  samplePullPayment,
  sampleSettled,
} from './btcpay.samples.ts';

const seconds = (moment: string) => Math.floor(Date.parse(moment) / 1000);
const absent = { status: 404, body: sampleAbsent };
const refused = { status: 400, body: sampleInvalid };
const invoice = {
  id: 'id',
  merchantReference: 'metadata.orderId',
  status: 'status',
  amount: 'amount',
  currency: 'currency',
};

/** One that has expired is watched no longer. */
function timesOf({ createdAt, status }: SimulatedPayment) {
  const made = seconds(createdAt);
  return {
    createdTime: made,
    expirationTime: made + 900,
    monitoringExpiration: status === 'Expired' ? made : made + 87_300,
  };
}

const invoiceOf = (payment: SimulatedPayment) => ({
  ...sampleInvoice,
  ...timesOf(payment),
  id: payment.id,
  metadata: { ...sampleInvoice.metadata, orderId: payment.merchantReference },
  status: payment.status,
  amount: payment.amount,
  currency: payment.currency,
});

/** A coin is worth a hundred thousand of any currency, and itself. */
function coinsOf({ amount, currency }: SimulatedPayment): string {
  if (currency === 'BTC') return amount;
  return decimal(money(String(Math.ceil(Number(amount) * 1000) / 100_000_000), 'BTC'));
}

function methodOf(payment: SimulatedPayment) {
  const amount = coinsOf(payment);
  const isPaid = payment.status === 'Settled';
  const paid = { ...samplePayment, id: `${payment.id}-0`, value: amount };
  return {
    ...sampleMethod,
    amount,
    due: isPaid ? '0' : amount,
    totalPaid: isPaid ? amount : '0',
    payments: isPaid ? [paid] : [],
  };
}

const methods = {
  effect: 'read',
  request: { id: 'params.invoiceId' },
  reply: {},
  compute: (payment) => ({ '0': methodOf(payment) }),
  absent,
} satisfies SimulatedEndpoint;

const payout = {
  id: 'id',
  merchantReference: 'metadata.source',
  status: 'state',
  amount: 'originalAmount',
  currency: 'originalCurrency',
};

const pullPaymentOf = ({ id, merchantReference, amount, currency }: SimulatedModification) => ({
  ...samplePullPayment,
  id,
  name: merchantReference,
  amount,
  currency,
});

const isPayout = ({ request }: SimulatedPayment) => readPath(request, 'destination') !== undefined;

const payoutOf = ({ id, merchantReference: source, status: state, amount, currency }: SimulatedPayment) => ({
  ...samplePayout,
  id,
  state,
  originalAmount: amount,
  originalCurrency: currency,
  metadata: { source },
});

/** How a local server plays BTCPay Server. */
export const btcpaySimulation: Simulation = {
  // A payout names no currency: it is an amount of bitcoin.
  currency: 'BTC',
  endpoints: {
    'get-invoice': { effect: 'read', request: { id: 'params.invoiceId' }, reply: invoice, compute: timesOf, absent },
    'get-address': methods,
    'get-payments': methods,
    'find-invoices': {
      effect: 'read',
      request: { merchantReference: 'query.orderId' },
      reply: {
        id: '0.id',
        merchantReference: '0.metadata.orderId',
        status: '0.status',
        amount: '0.amount',
        currency: '0.currency',
      },
      compute: (payment) => ({ '0': invoiceOf(payment) }),
      absent: { status: 200, body: [] },
    },
    'create-invoice': {
      effect: 'charge',
      request: { merchantReference: 'body.metadata.orderId', amount: 'body.amount', currency: 'body.currency' },
      reply: invoice,
      compute: timesOf,
      refused,
    },
    'mark-invalid': {
      effect: 'withdraw',
      request: { id: 'params.invoiceId' },
      reply: invoice,
      compute: timesOf,
      refused,
    },
    'get-payout': { effect: 'read', request: { id: 'params.payoutId' }, reply: payout, absent },
    'list-payouts': {
      effect: 'read',
      request: {},
      reply: {},
      lists: ({ payments }) => payments.filter(isPayout).map(payoutOf),
    },
    'create-payout': {
      effect: 'payout',
      request: { merchantReference: 'body.metadata.source', amount: 'body.amount' },
      reply: payout,
      refused,
    },
    'create-refund': {
      effect: 'refund',
      // PullPaymentData of the Greenfield API (2026-07) names no invoice: its name is a text that the store's owner may change. The webhook of a
      // claim names the pull payment alone, so nothing has the invoice looked up after a refund in the panel.
      unreported: true,
      request: { id: 'params.invoiceId', modificationReference: 'body.name', amount: 'body.customAmount' },
      reply: { modification: 'id', modificationReference: 'name', amount: 'amount', currency: 'currency' },
      refused,
    },
    'list-pull-payments': {
      effect: 'read',
      request: {},
      reply: {},
      lists: ({ actions }) => actions.map(({ action }) => pullPaymentOf(action)),
    },
    'get-pull-payment': {
      effect: 'read',
      request: { modification: 'params.pullPaymentId' },
      reply: { modification: 'id', modificationReference: 'name', amount: 'amount', currency: 'currency' },
      absent,
    },
    'list-claims': {
      effect: 'read',
      request: { modification: 'params.pullPaymentId' },
      reply: {},
      compute: (_payment, refund) => ({
        '0': {
          ...sampleClaim,
          pullPaymentId: refund?.id,
          originalAmount: refund?.amount,
          originalCurrency: refund?.currency,
          state: refund?.status,
        },
      }),
      absent: { status: 200, body: [] },
    },
  },
  words: { settled: 'Settled', pending: 'New', declined: 'Expired', withdrawn: 'Invalid' },
  effectWords: {
    payout: { settled: 'Completed', pending: 'AwaitingPayment', declined: 'Cancelled' },
    refund: { settled: 'Completed', pending: 'AwaitingPayment', declined: 'Cancelled' },
  },
  notification: {
    body: (payment, { id, now }) =>
      isPayout(payment)
        ? { ...samplePayoutUpdated, payoutId: payment.id, payoutState: payment.status }
        : {
            ...sampleSettled,
            deliveryId: id,
            originalDeliveryId: id,
            timestamp: seconds(now),
            type: `Invoice${payment.status}`,
            invoiceId: payment.id,
            metadata: { orderId: payment.merchantReference },
          },
  },
};
