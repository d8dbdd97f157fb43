import { minorUnits, money, readPath } from '@railyard/core';
import { compactId } from '@railyard/core/formats';
import {
  minutesAfter,
  type SimulatedEndpoint,
  type SimulatedPayment,
  type Simulation,
} from '@railyard/core/simulation';
import {
  orderWith,
  sampleAbsent,
  sampleCash,
  sampleCharge,
  sampleNoCharges,
  sampleNotCanceled,
  sampleRefund,
  sampleRefusal,
  sampleTransfer,
} from './conekta.samples.ts';

const seconds = (moment: string) => Math.floor(Date.parse(moment) / 1000);
const cents = ({ amount, currency }: { readonly amount: string; readonly currency: string }) =>
  Number(minorUnits(money(amount, currency)));

const METHOD = 'charges.0.payment_method';
const CHARGE = 'charges.data.0';
const THIRTY_DAYS = 30 * 24 * 60;

function methodOf({ request, createdAt }: SimulatedPayment) {
  const shown = readPath(request, `${METHOD}.type`) === 'spei' ? sampleTransfer : sampleCash;
  const expires_at = readPath(request, `${METHOD}.expires_at`) ?? seconds(minutesAfter(createdAt, THIRTY_DAYS));
  return { ...shown, expires_at };
}

function chargeOf(payment: SimulatedPayment) {
  const { id: order_id, merchantReference: reference_id, status, currency, createdAt, modifications } = payment;
  const data = modifications.map((each) => ({
    ...sampleRefund,
    id: each.id,
    amount: -cents(each),
    created_at: seconds(each.createdAt),
    status: each.status,
  }));
  return {
    ...sampleCharge,
    order_id,
    reference_id,
    status,
    amount: cents(payment),
    currency,
    created_at: seconds(createdAt),
    payment_method: methodOf(payment),
    refunds: { ...sampleCharge.refunds, data },
  };
}

function orderOf(payment: SimulatedPayment) {
  const { id, status: payment_status, currency, createdAt, modifications } = payment;
  const counted = modifications.filter(({ status }) => status === 'refunded');
  return orderWith(chargeOf(payment), {
    id,
    amount: cents(payment),
    currency,
    created_at: seconds(createdAt),
    payment_status,
    amount_refunded: counted.reduce((sum, each) => sum + cents(each), 0),
  });
}

const absent = { status: 404, body: sampleAbsent };
const refused = { status: 422, body: sampleRefusal };
const order = {
  reply: {
    id: `${CHARGE}.order_id`,
    merchantReference: `${CHARGE}.reference_id`,
    status: `${CHARGE}.status`,
    amount: `${CHARGE}.amount`,
  },
  compute: orderOf,
  absent,
  refused,
} satisfies Partial<SimulatedEndpoint>;
const creating = {
  effect: 'charge',
  request: {
    merchantReference: 'body.charges.0.reference_id',
    amount: 'body.line_items.0.unit_price',
    currency: 'body.currency',
  },
  ...order,
} as const;

/** How a local provider plays Conekta. */
export const conektaSimulation: Simulation = {
  currency: 'MXN',
  amounts: 'minor-units',
  id: (uuid, effect) => (effect === 'refund' ? compactId(uuid).slice(0, 24) : `ord_${compactId(uuid).slice(0, 17)}`),
  endpoints: {
    'find-charges': {
      effect: 'read',
      request: { merchantReference: 'query.search' },
      reply: { merchantReference: 'data.0.reference_id', status: 'data.0.status', amount: 'data.0.amount' },
      compute: (payment) => ({ data: [chargeOf(payment)] }),
      absent: { status: 200, body: sampleNoCharges },
    },
    'get-order': { effect: 'read', request: { id: 'params.id' }, ...order },
    'create-cash-order': { ...creating, where: { 'body.charges.0.payment_method.type': 'cash' } },
    'create-spei-order': { ...creating, where: { 'body.charges.0.payment_method.type': 'spei' } },
    'cancel-order': {
      effect: 'withdraw',
      request: { id: 'params.id' },
      ...order,
      refused: { status: 428, body: sampleNotCanceled },
    },
    'create-refund': {
      effect: 'refund',
      request: { id: 'params.id', amount: 'body.amount' },
      ...order,
      reply: {
        id: `${CHARGE}.order_id`,
        modification: `${CHARGE}.refunds.data.0.id`,
        modificationStatus: `${CHARGE}.refunds.data.0.status`,
      },
    },
  },
  words: { settled: 'paid', pending: 'pending_payment', declined: 'expired', withdrawn: 'canceled' },
  effectWords: { refund: { settled: 'refunded', pending: 'pending', declined: 'declined' } },
  notification: {
    body: (payment, { id, now }) => ({
      object: 'event',
      id,
      created_at: seconds(now),
      type: `order.${payment.status}`,
      data: { object: orderOf(payment) },
    }),
  },
};
