import { money, readPath } from '@railyard/core';
import { compactId, providerDecimals } from '@railyard/core/formats';
import type {
  SimulatedDispute,
  SimulatedEndpoint,
  SimulatedModification,
  SimulatedPayment,
  Simulation,
} from '@railyard/core/simulation';
import { DECIMALS, STEPS } from './stripe-endpoints.ts';
import * as samples from './stripe.samples.ts';

const { minorUnits } = providerDecimals(DECIMALS);
const unitsOf = ({ amount, currency }: { readonly amount: string; readonly currency: string }) =>
  Number(minorUnits(money(amount, currency)));

/** A card with which the payer has to go to their bank (docs.stripe.com/testing), and its token. */
const REDIRECTED = { number: '4000002760003184', token: 'pm_card_authenticationRequired' };

/** The words for what two fields say together, as Stripe writes them. */
const WRITTEN: Readonly<Record<string, string>> = {
  payment_failed: 'requires_payment_method',
  hold_canceled: 'canceled',
  needs_response: 'succeeded',
  won: 'succeeded',
  lost: 'succeeded',
};
const UNCHARGED = new Set(['requires_action', 'processing']);

/** The PaymentIntent in its state. */
function intentOf(payment: SimulatedPayment) {
  const { id, status, currency, request, payerUrl, merchantReference, modifications } = payment;
  const capture = modifications.findLast(({ effect }) => effect === 'capture')?.merchantReference;
  const text = (name: string) => readPath(request, name) ?? null;
  const redirect_to_url = { url: payerUrl, return_url: text('return_url') };
  return {
    ...samples.succeeded,
    id,
    amount: unitsOf(payment),
    amount_received: (WRITTEN[status] ?? status) === 'succeeded' ? unitsOf(payment) : 0,
    currency: currency.toLowerCase(),
    capture_method: text('capture_method'),
    customer: text('customer'),
    payment_method: text('payment_method'),
    latest_charge: UNCHARGED.has(status) ? null : id.replace('pi_', 'ch_'),
    last_payment_error: status === 'payment_failed' ? samples.failed.last_payment_error : null,
    metadata: { reference: merchantReference, ...(capture !== undefined && { capture }) },
    next_action: status === 'requires_action' ? { type: 'redirect_to_url', redirect_to_url } : null,
    status: WRITTEN[status] ?? status,
  };
}

const refundOf = ({ id, merchantReference, status, ...moved }: SimulatedModification, payment: string) => ({
  ...samples.refund,
  id,
  amount: unitsOf(moved),
  currency: moved.currency.toLowerCase(),
  // One that was made in the dashboard has its own id alone.
  metadata: merchantReference === id ? {} : { reference: merchantReference },
  payment_intent: payment,
  status,
});

/** The same, with the refunds of its charge. */
function lookedUp(payment: SimulatedPayment) {
  const { latest_charge: id, ...intent } = intentOf(payment);
  const disputed = payment.disputes.length > 0;
  return { ...intent, latest_charge: id && { id, object: 'charge', disputed, refunds: refundsOf(payment) } };
}

const refundsOf = ({ id, modifications }: SimulatedPayment) => ({
  ...samples.refunds,
  data: modifications.filter(({ effect }) => effect === 'refund').map((each) => refundOf(each, id)),
});

const DISPUTED = ['needs_response', 'won', 'lost'];

const disputeOf = ({ id, result, ...disputed }: SimulatedDispute, payment: string) => ({
  ...samples.dispute,
  id: `du_${compactId(id).slice(0, 24)}`,
  amount: unitsOf(disputed),
  currency: disputed.currency.toLowerCase(),
  payment_intent: payment,
  status: result ?? 'needs_response',
});

const absent = { status: 404, body: samples.absent };
const refused = { status: 400, body: samples.problem };
const KEY = 'headers.idempotency-key';

const intent = {
  reply: { id: 'id', merchantReference: 'metadata.reference', status: 'status', amount: 'amount' },
  compute: intentOf,
  absent,
  refused,
} satisfies Partial<SimulatedEndpoint>;
const refund = {
  reply: {
    modification: 'id',
    modificationReference: 'metadata.reference',
    modificationStatus: 'status',
    id: 'payment_intent',
    amount: 'amount',
  },
  absent,
  refused,
} satisfies Partial<SimulatedEndpoint>;

/** A token that is made anew with every request of another key moves no money. */
const token = { effect: 'read', request: {}, reply: {} } as const;

/** How a local provider plays Stripe. */
export const stripeSimulation: Simulation = {
  amounts: 'minor-units',
  decimals: DECIMALS,
  steps: STEPS,
  id: (uuid, effect) => `${effect === 'refund' ? 're' : 'pi'}_${compactId(uuid).slice(0, 24)}`,
  endpoints: {
    'create-payment-method': {
      ...token,
      answers: ({ body }) => (readPath(body, 'card.number') === REDIRECTED.number ? { id: REDIRECTED.token } : {}),
    },
    'create-customer': token,
    'create-payment-intent': {
      effect: 'charge',
      cases: [{ where: { 'body.capture_method': 'manual' }, effect: 'authorize' }],
      request: {
        merchantReference: 'body.metadata.reference',
        amount: 'body.amount',
        currency: 'body.currency',
        key: KEY,
      },
      ...intent,
    },
    capture: {
      effect: 'capture',
      request: {
        id: 'params.intent',
        amount: 'body.amount_to_capture',
        modificationReference: 'body.metadata.capture',
        key: KEY,
      },
      ...intent,
      reply: { id: 'id', modificationReference: 'metadata.capture' },
    },
    cancel: {
      effect: 'void',
      request: { id: 'params.intent', key: KEY },
      ...intent,
      reply: { id: 'id', merchantReference: 'metadata.reference' },
    },
    'create-refund': {
      effect: 'refund',
      request: {
        id: 'body.payment_intent',
        amount: 'body.amount',
        modificationReference: 'body.metadata.reference',
        key: KEY,
      },
      ...refund,
    },
    'get-payment-intent': { effect: 'read', request: { id: 'params.intent' }, ...intent, compute: lookedUp },
    'search-payment-intents': {
      effect: 'read',
      request: { merchantReference: 'query.query', merchantReferenceIn: /'([^']+)'$/ },
      reply: { id: 'data.0.id', merchantReference: 'data.0.metadata.reference', status: 'data.0.status' },
      compute: (payment) => ({ data: [lookedUp(payment)] }),
      absent: { status: 200, body: samples.nothing },
    },
    'get-refund': { effect: 'read', request: { modification: 'params.refund' }, ...refund },
    'list-refunds': {
      effect: 'read',
      request: { id: 'query.payment_intent' },
      reply: {},
      compute: refundsOf,
      absent: { status: 200, body: { ...samples.refunds, data: [] } },
    },
    'list-disputes': {
      effect: 'read',
      request: { id: 'query.payment_intent' },
      reply: {},
      compute: ({ id, disputes }) => ({ data: disputes.map((each) => disputeOf(each, id)).toReversed() }),
      absent: { status: 200, body: { ...samples.disputes, data: [] } },
    },
    'get-balance': token,
  },
  words: {
    settled: 'succeeded',
    authorized: 'requires_capture',
    pending: 'processing',
    declined: 'payment_failed',
    challenged: 'requires_action',
    released: 'hold_canceled',
    disputed: 'needs_response',
    won: 'won',
    lost: 'lost',
  },
  effectWords: {
    void: { settled: 'canceled' },
    refund: { settled: 'succeeded', pending: 'pending', declined: 'failed' },
  },
  course: ({ body }) =>
    readPath(body, 'payment_method') === REDIRECTED.token &&
    readPath(body, 'payment_method_options.card.three_d_secure') === undefined
      ? { starts: 'challenged', leadsTo: 'settled' }
      : undefined,
  hidden: ['body.card.number', 'body.card.cvc', 'body.payment_method_options.card.three_d_secure.cryptogram'],
  page: { returnUrl: 'body.return_url', values: ({ id }) => ({ payment_intent: id }) },
  notification: {
    body: (payment, { id }) => {
      const dispute = payment.disputes.at(-1);
      return dispute !== undefined && DISPUTED.includes(payment.status)
        ? samples.event('charge.dispute.updated', disputeOf(dispute, payment.id), id)
        : samples.event('payment_intent.' + payment.status, intentOf(payment), id);
    },
    modification: (modification, payment, { id }) =>
      modification.effect === 'refund'
        ? samples.event('refund.updated', refundOf(modification, payment.id), id)
        : samples.event('payment_intent.succeeded', intentOf(payment), id),
  },
};
