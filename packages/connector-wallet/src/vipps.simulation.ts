import { jsonNumber, minorUnits, money } from '@railyard/core';
import { addMoney } from '@railyard/core/payment';
import type { SimulatedEndpoint, SimulatedModification, SimulatedPayment, Simulation } from '@railyard/core/simulation';
import * as samples from './vipps.samples.ts';

type Amount = Pick<SimulatedPayment, 'amount' | 'currency'>;
const moneyOf = ({ amount, currency }: Amount) => money(amount, currency);
const amountOf = (amount: Amount) => ({
  currency: amount.currency,
  value: jsonNumber(moneyOf(amount), minorUnits),
});

/** Of each effect, that took place. */
function sumOf({ modifications, currency }: SimulatedPayment, effect: SimulatedModification['effect']): Amount {
  const made = modifications.filter((each) => each.effect === effect && each.status === 'CAPTURED');
  const { text: amount } = made.map(moneyOf).reduce(addMoney, money('0', currency));
  return { amount, currency };
}

/** A payment that was approved, whatever became of it. */
const APPROVED = new Set(['RESERVED', 'CAPTURED', 'CANCELLED']);

function standingOf(payment: SimulatedPayment) {
  const { merchantReference: reference, id: pspReference, status, currency } = payment;
  const none = { amount: money('0', currency).text, currency };
  const isApproved = APPROVED.has(status);
  return {
    reference,
    pspReference,
    state: isApproved ? 'AUTHORIZED' : status,
    amount: amountOf(payment),
    aggregate: {
      authorizedAmount: amountOf(isApproved ? payment : none),
      cancelledAmount: amountOf(status === 'CANCELLED' || status === 'TERMINATED' ? payment : none),
      capturedAmount: amountOf(sumOf(payment, 'capture')),
      refundedAmount: amountOf(sumOf(payment, 'refund')),
    },
  };
}

const NAMES = { capture: 'CAPTURED', refund: 'REFUNDED', void: 'CANCELLED', cancel: 'CANCELLED' } as const;

/** Those that were made in the portal have no key: their reference is their own id. */
const keyOf = ({ merchantReference: idempotencyKey, id }: SimulatedModification) =>
  idempotencyKey === '' || idempotencyKey === id ? {} : { idempotencyKey };

const eventOf = (made: SimulatedModification, payment: SimulatedPayment) => ({
  name: NAMES[made.effect],
  reference: payment.merchantReference,
  pspReference: made.id,
  amount: amountOf(made),
  timestamp: made.createdAt,
  success: made.status === 'CAPTURED',
  ...keyOf(made),
});

const absent = { status: 404, body: samples.absent };
const refused = { status: 400, body: samples.problem(400, 'Payment cannot be captured', '6200') };
const used = { status: 409, body: samples.problem(409, 'Idempotency error', '4020') };
/** @param moved which of the amounts the reply is about */
const reply = (moved: 'authorized' | 'captured' | 'refunded' | 'cancelled') => ({
  id: 'pspReference',
  merchantReference: 'reference',
  amount: `aggregate.${moved}Amount.value`,
  currency: `aggregate.${moved}Amount.currency`,
});
const standing = {
  compute: standingOf,
  absent,
  refused,
  used,
} satisfies Partial<SimulatedEndpoint>;
const key = 'headers.idempotency-key';
const changing = (effect: 'capture' | 'refund' | 'void') =>
  ({
    effect,
    request: {
      merchantReference: 'params.reference',
      modificationReference: key,
      key,
      ...(effect !== 'void' && {
        amount: 'body.modificationAmount.value',
        currency: 'body.modificationAmount.currency',
      }),
    },
    reply: reply(({ capture: 'captured', refund: 'refunded', void: 'cancelled' } as const)[effect]),
    ...standing,
  }) satisfies SimulatedEndpoint;

/** How a local provider plays Vipps MobilePay. */
export const vippsSimulation: Simulation = {
  amounts: 'minor-units',
  endpoints: {
    token: { effect: 'credential', request: {}, reply: {} },
    'create-payment': {
      effect: 'authorize',
      prepares: true,
      request: {
        merchantReference: 'body.reference',
        amount: 'body.amount.value',
        currency: 'body.amount.currency',
        key,
      },
      reply: { merchantReference: 'reference' },
      compute: ({ payerUrl: redirectUrl }) => ({ redirectUrl }),
      refused,
      used,
    },
    'get-payment': {
      effect: 'read',
      request: { merchantReference: 'params.reference' },
      reply: { ...reply('authorized'), status: 'state' },
      ...standing,
    },
    'list-events': {
      effect: 'read',
      request: { merchantReference: 'params.reference' },
      reply: {},
      lists: ({ actions }) => actions.map(({ action, payment }) => eventOf(action, payment)),
    },
    'capture-payment': changing('capture'),
    'refund-payment': changing('refund'),
    'cancel-payment': { ...changing('void'), withdraws: true },
  },
  words: {
    settled: 'CAPTURED',
    authorized: 'RESERVED',
    pending: 'CREATED',
    challenged: 'CREATED',
    declined: 'ABORTED',
    withdrawn: 'TERMINATED',
    released: 'CANCELLED',
  },
  /** A payment always waits for its payer, who approves it: the money is held then. */
  course: ({ endpoint }) => (endpoint === 'create-payment' ? { starts: 'challenged', leadsTo: 'settled' } : undefined),
  page: { returnUrl: 'body.returnUrl' },
  notification: {
    headers: ({ now }) => ({ 'x-ms-date': new Date(now).toUTCString() }),
    body: ({ merchantReference: reference, status, ...payment }, { id, now }) =>
      samples.notification({
        name: status === 'RESERVED' ? 'AUTHORIZED' : status,
        reference,
        pspReference: id,
        amount: amountOf(payment),
        timestamp: now,
      }),
    modification: (made, payment) => samples.notification(eventOf(made, payment)),
  },
};
