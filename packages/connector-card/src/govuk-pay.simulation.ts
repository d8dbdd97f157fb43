import { jsonNumber, minorUnits, money } from '@railyard/core';
import { subtractMoney } from '@railyard/core/payment';
import type { SimulatedEndpoint, SimulatedModification, SimulatedPayment, Simulation } from '@railyard/core/simulation';
import * as samples from './govuk-pay.samples.ts';

type Amount = Pick<SimulatedPayment, 'amount' | 'currency'>;
const pence = ({ amount, currency }: Amount) => jsonNumber(money(amount, currency), minorUnits);

/** Everything that was not refunded, and is not about to be. */
function availableOf({ modifications, ...payment }: SimulatedPayment) {
  const refunds = modifications.filter(({ effect, status }) => effect === 'refund' && status !== 'error');
  const left = refunds.reduce(
    (rest, { amount, currency }) => subtractMoney(rest, money(amount, currency)),
    money(payment.amount, payment.currency),
  );
  return jsonNumber(left, minorUnits);
}

const FINISHED = new Set(['success', 'failed', 'cancelled', 'error']);
/** A dispute leaves its payment as it is. */
const DISPUTES = new Set(['needs_response', 'won', 'lost']);
const wordOf = ({ status }: Pick<SimulatedPayment, 'status'>) => (DISPUTES.has(status) ? 'success' : status);

const standing = (payment: SimulatedPayment) => ({
  'state.status': wordOf(payment),
  'state.finished': FINISHED.has(wordOf(payment)),
  'refund_summary.amount_available': availableOf(payment),
  '_links.next_url': FINISHED.has(wordOf(payment)) ? null : { href: payment.payerUrl, method: 'GET' },
});

const refundOf = ({ id, status, createdAt, ...of }: SimulatedModification, payment: SimulatedPayment) => ({
  ...samples.refund(status),
  refund_id: id,
  created_date: createdAt,
  amount: pence(of),
  payment_id: payment.id,
});

const reply = { id: 'payment_id', merchantReference: 'reference', status: 'state.status', amount: 'amount' };
const refund = { modification: 'refund_id', modificationStatus: 'status', amount: 'amount' };
const absent = { status: 404, body: samples.absent };
const byId = { id: 'params.payment_id' };
const of = (effect: 'capture' | 'void', body: unknown) =>
  ({ effect, request: byId, reply: {}, absent, refused: { status: 409, body } }) satisfies SimulatedEndpoint;

/** How a local provider plays GOV.UK Pay. */
export const govukPaySimulation: Simulation = {
  amounts: 'minor-units',
  currency: 'GBP',
  endpoints: {
    'create-payment': {
      effect: 'charge',
      prepares: true,
      cases: [{ where: { 'body.delayed_capture': 'true' }, effect: 'authorize' }],
      request: { merchantReference: 'body.reference', amount: 'body.amount' },
      reply,
      compute: standing,
      refused: { status: 422, body: samples.refused },
    },
    'get-payment': { effect: 'read', request: byId, reply, compute: standing, absent },
    'find-payments': {
      effect: 'read',
      request: { merchantReference: 'query.reference' },
      reply: { id: 'results.0.payment_id', merchantReference: 'results.0.reference' },
      lists: ({ payments }) => ({
        ...samples.nothingFound,
        results: payments.map((each) => ({
          ...samples.payment(wordOf(each)),
          payment_id: each.id,
          reference: each.merchantReference,
          amount: pence(each),
        })),
      }),
    },
    'capture-payment': of('capture', samples.notCaptured),
    'cancel-payment': { ...of('void', samples.notCancelled), withdraws: true },
    'create-refund': {
      effect: 'refund',
      request: { ...byId, amount: 'body.amount' },
      reply: refund,
      absent,
      refused: { status: 412, body: samples.mismatch },
    },
    'get-refund': {
      effect: 'read',
      request: { ...byId, modification: 'params.refund_id' },
      reply: refund,
      absent,
    },
    'list-refunds': {
      effect: 'read',
      request: byId,
      reply: { id: 'payment_id' },
      compute: (payment) => ({
        '_embedded.refunds': payment.modifications
          .filter(({ effect }) => effect === 'refund')
          .map((each) => refundOf(each, payment)),
      }),
      absent,
    },
    'list-disputes': {
      effect: 'read',
      request: {},
      reply: {},
      // The youngest first.
      lists: ({ payments }) => {
        const results = payments.flatMap(({ id: payment_id, disputes }) =>
          disputes.map(({ id, createdAt, result = 'needs_response', ...of }) => ({
            ...samples.dispute(result),
            dispute_id: `dispute-${id}`,
            created_date: createdAt,
            payment_id,
            amount: pence(of),
          })),
        );
        return { ...samples.disputes(), count: results.length, total: results.length, results: results.toReversed() };
      },
    },
  },
  words: {
    settled: 'success',
    authorized: 'capturable',
    pending: 'created',
    challenged: 'created',
    declined: 'failed',
    withdrawn: 'cancelled',
    released: 'cancelled',
    lapsed: 'failed',
    disputed: 'needs_response',
    won: 'won',
    lost: 'lost',
  },
  effectWords: {
    refund: { pending: 'submitted', settled: 'success', declined: 'error' },
    capture: { pending: 'capturable', settled: 'success', declined: 'failed' },
    void: { pending: 'capturable', settled: 'cancelled', declined: 'failed' },
  },
  /** A payment always waits for its payer. */
  course: ({ endpoint }) => (endpoint === 'create-payment' ? { starts: 'challenged', leadsTo: 'settled' } : undefined),
  page: { returnUrl: 'body.return_url' },
  notification: {
    body: ({ id: payment_id, merchantReference: reference, status, ...paid }, { id }) => {
      // A dispute is told by e-mail, and found in the search.
      if (DISPUTES.has(status)) return undefined;
      const { _links, ...resource } = samples.payment(status);
      const event = status === 'success' ? 'captured' : 'failed';
      return samples.message(
        `card_payment_${event}`,
        { ...resource, payment_id, reference, amount: pence(paid) },
        { id },
      );
    },
    modification: (made, payment, { id }) => {
      if (made.effect !== 'refund') return undefined;
      const { _links, ...resource } = refundOf(made, payment);
      return samples.message('card_payment_refunded', resource, { id, of: 'refund' });
    },
  },
};
