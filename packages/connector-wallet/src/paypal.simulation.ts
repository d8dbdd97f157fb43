import { money, readPath } from '@railyard/core';
import { compactId, providerDecimals } from '@railyard/core/formats';
import type { SimulatedEndpoint, SimulatedModification, SimulatedPayment, Simulation } from '@railyard/core/simulation';
import { DECIMALS, PROOF } from './paypal-endpoints.ts';
import * as samples from './paypal.samples.ts';

const { decimal } = providerDecimals(DECIMALS);
const amountOf = ({ amount, currency }: { readonly amount: string; readonly currency: string }) => ({
  currency_code: currency,
  value: decimal(money(amount, currency)),
});

/** An order that has not made anything yet. */
const isOpen = ({ status }: SimulatedPayment) => status === 'PAYER_ACTION_REQUIRED' || status === 'APPROVED';

/** The authorisation or the capture of an order is named by the order's own id. */
const ofOrder = (letter: 'A' | 'C', { id }: SimulatedPayment) => `${letter}${id}`;
const inOrder = /^[AC]?(.+)$/;
const isHold = ({ request }: SimulatedPayment) => readPath(request, 'intent') === 'AUTHORIZE';

const related = (payment: SimulatedPayment) => ({
  custom_id: payment.merchantReference,
  supplementary_data: { related_ids: { order_id: payment.id } },
});

/** A hold keeps its amount, also where a part of it was captured. */
function authorizationOf(payment: SimulatedPayment) {
  const amount = readPath(payment.request, 'purchase_units.0.amount');
  const status = payment.status === 'COMPLETED' ? 'CAPTURED' : payment.status;
  return { ...samples.authorization, ...related(payment), id: ofOrder('A', payment), status, amount };
}
const captureOf = (payment: SimulatedPayment) => ({
  ...samples.capture,
  ...related(payment),
  id: ofOrder('C', payment),
  status: payment.status,
  amount: amountOf(payment),
});
const modificationOf = (made: SimulatedModification, payment: SimulatedPayment) => ({
  ...(made.effect === 'refund' ? samples.refund : samples.captureOfHold),
  ...related(payment),
  id: made.id,
  status: made.status,
  amount: amountOf(made),
  // One that was made on PayPal's pages has its own id alone.
  invoice_id: made.merchantReference === made.id ? undefined : made.merchantReference,
});

function paymentsOf(payment: SimulatedPayment) {
  const made = (effect: string) =>
    payment.modifications.filter((each) => each.effect === effect).map((each) => modificationOf(each, payment));
  if (isOpen(payment)) return undefined;
  return isHold(payment)
    ? { authorizations: [authorizationOf(payment)], captures: made('capture'), refunds: made('refund') }
    : { captures: [captureOf(payment)], refunds: made('refund') };
}

function orderOf(payment: SimulatedPayment) {
  const { id, status, request, payerUrl, merchantReference } = payment;
  const payments = paymentsOf(payment);
  return samples.orderWith(payments === undefined ? status : 'COMPLETED', undefined, {
    id,
    intent: readPath(request, 'intent'),
    purchase_units: [
      {
        reference_id: 'default',
        amount: amountOf(payment),
        custom_id: merchantReference,
        ...(payments !== undefined && { payments }),
      },
    ],
    links: [{ href: payerUrl, rel: 'payer-action', method: 'GET' }],
  });
}

const absent = { status: 404, body: samples.absent };
const refused = { status: 400, body: samples.refused };
const key = 'headers.paypal-request-id';
/** `made`: what the example has, whose amount counts. */
const order = (made: string) =>
  ({
    reply: {
      id: 'id',
      merchantReference: 'purchase_units.0.custom_id',
      status: `purchase_units.0.${made}status`,
      amount: `purchase_units.0.${made}amount.value`,
    },
    compute: orderOf,
    absent,
    refused,
  }) satisfies Partial<SimulatedEndpoint>;
const completing = (made: string) =>
  ({
    effect: 'complete',
    request: { id: 'params.id', key },
    ...order(`payments.${made}.0.`),
    refused: {
      status: 422,
      body: samples.refusal('ORDER_NOT_APPROVED', 'Payer has not yet approved the Order for payment.'),
    },
  }) as const;
const changing = (effect: 'capture' | 'refund') =>
  ({
    effect,
    request: {
      id: 'params.id',
      idIn: inOrder,
      amount: 'body.amount.value',
      currency: 'body.amount.currency_code',
      modificationReference: 'body.invoice_id',
      key,
    },
    reply: {
      modification: 'id',
      modificationReference: 'invoice_id',
      modificationStatus: 'status',
      amount: 'amount.value',
    },
    compute: (payment, made) => (made === undefined ? {} : modificationOf(made, payment)),
    absent,
    refused,
  }) satisfies SimulatedEndpoint;

function eventOf(payment: SimulatedPayment, id: string) {
  const { status } = payment;
  if (payment.disputes.length > 0) return samples.event('PAYMENT.CAPTURE.REVERSED', 'capture', captureOf(payment), id);
  if (isOpen(payment)) return samples.event(`CHECKOUT.ORDER.${status}`, 'checkout-order', orderOf(payment), id);
  return isHold(payment) && status !== 'COMPLETED'
    ? samples.event(`PAYMENT.AUTHORIZATION.${status}`, 'authorization', authorizationOf(payment), id)
    : samples.event(`PAYMENT.CAPTURE.${status}`, 'capture', captureOf(payment), id);
}

/** How a local provider plays PayPal. */
export const paypalSimulation: Simulation = {
  decimals: DECIMALS,
  id: (uuid) => compactId(uuid).slice(0, 17).toUpperCase(),
  endpoints: {
    token: { effect: 'credential', request: {}, reply: {} },
    'create-order': {
      effect: 'charge',
      cases: [{ where: { 'body.intent': 'AUTHORIZE' }, effect: 'authorize' }],
      prepares: true,
      request: {
        merchantReference: 'body.purchase_units.0.custom_id',
        amount: 'body.purchase_units.0.amount.value',
        currency: 'body.purchase_units.0.amount.currency_code',
        key,
      },
      ...order(''),
    },
    'get-order': {
      effect: 'read',
      request: { id: 'params.id' },
      hidesDisputes: true,
      ...order('payments.captures.0.'),
    },
    'capture-order': completing('captures'),
    'authorize-order': completing('authorizations'),
    'capture-hold': changing('capture'),
    'refund-capture': changing('refund'),
    'void-hold': {
      effect: 'void',
      request: { id: 'params.id', idIn: inOrder },
      reply: { status: 'status', amount: 'amount.value' },
      compute: authorizationOf,
      absent,
      refused,
    },
    'verify-webhook-signature': {
      effect: 'read',
      request: { proof: PROOF.map((name) => `body.${name}`), notification: 'body.webhook_event' },
      reply: {},
      absent: { status: 200, body: { verification_status: 'FAILURE' } },
    },
  },
  words: {
    settled: 'COMPLETED',
    disputed: 'COMPLETED',
    authorized: 'CREATED',
    pending: 'PENDING',
    declined: 'DECLINED',
    challenged: 'PAYER_ACTION_REQUIRED',
    authenticated: 'APPROVED',
    released: 'VOIDED',
  },
  effectWords: {
    authorize: { declined: 'DENIED' },
    refund: { declined: 'FAILED' },
    void: { settled: 'VOIDED' },
  },
  /** An order waits for the payer, and its payment for the merchant's side. */
  course: ({ endpoint }) =>
    endpoint === 'create-order' ? { starts: 'challenged', leadsTo: 'settled', finishedBy: 'merchant' } : undefined,
  page: {
    returnUrl: 'body.payment_source.paypal.experience_context.return_url',
    values: ({ id, status }) => ({ token: id, ...(status === 'APPROVED' && { PayerID: 'QYR5Z8XDVJNXQ' }) }),
  },
  notification: {
    body: (payment, { id }) => eventOf(payment, id),
    modification: (made, payment, { id }) => {
      if (made.effect === 'void') return eventOf(payment, id);
      const type = made.effect === 'refund' && made.status === 'COMPLETED' ? 'REFUNDED' : made.status;
      return samples.event(`PAYMENT.CAPTURE.${type}`, made.effect, modificationOf(made, payment), id);
    },
  },
};
