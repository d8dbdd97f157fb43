import {
  call,
  field,
  fromMinorUnits,
  jsonNumber,
  minorUnits,
  type Money,
  providerApi,
  reply,
  secret,
  statusTable,
} from '@railyard/core';
import * as z from 'zod';
import * as samples from './govuk-pay.samples.ts';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }).default('https://publicapi.payments.service.gov.uk'), {
    label: 'Address of the API',
    help: 'The same for test and live accounts: the key decides.',
  }),
  api_key: secret(z.string().min(1), 'API key'),
  webhook_secret: secret(z.string().min(1), 'Signing secret of the webhook'),
});
export type Settings = z.output<typeof settings>;

/** `/api_reference/#payment-status-meanings` and `#errors-caused-by-payment-statuses`. */
export const statuses = statusTable(
  {
    created: 'pending',
    started: { meaning: 'pending', says: 'the user has visited next_url and is entering their payment details' },
    submitted: { meaning: 'pending', says: 'authorised, but the user has not yet selected Confirm' },
    capturable: 'authorized',
    success: 'settled',
    // Each also ends a hold: one that was cancelled, or not captured within five days.
    failed: { ended: 'soft', code: 'not_completed' },
    cancelled: { ended: 'hard', code: 'cancelled' },
    error: {
      meaning: { ended: 'soft', code: 'provider_error' },
      says: 'the payment failed safely with no money taken from the user',
    },
  },
  new Map([
    ['P0010', { kind: 'soft', code: 'card_declined' }],
    ['P0020', { kind: 'soft', code: 'timed_out' }],
    ['P0030', { kind: 'soft', code: 'cancelled_by_payer' }],
    ['P0040', { kind: 'hard', code: 'cancelled' }],
    ['P0050', { kind: 'soft', code: 'provider_error' }],
  ]),
);

/** `/refunding_payments/#checking-the-status-of-a-refund-status` */
export const refundStatuses = statusTable({
  submitted: 'pending',
  success: 'settled',
  error: { declined: 'soft', code: 'declined_by_provider' },
});

/** A capture and a cancellation are told by the state of their payment (`/delayed_capture`, `/making_payments/#cancel-a-payment-that-s-in-progress`). */
const over = { declined: 'hard', code: 'cancelled' } as const;
const failedSafely = { meaning: over, says: 'the payment failed safely with no money taken from the user' } as const;
export const captureStatuses = statusTable({
  capturable: 'pending',
  success: 'settled',
  failed: over,
  cancelled: over,
  error: failedSafely,
});
export const voidStatuses = statusTable({
  capturable: 'pending',
  cancelled: 'settled',
  success: { declined: 'hard', code: 'not_supported' },
  failed: over,
  error: failedSafely,
});

// Replies.

const id = z.string().min(1);
const pence = z.int().nonnegative();
const state = z.object({ status: z.string(), code: z.string().nullish() });
/** `total_amount` counts the surcharge of a corporate card, which the payer paid on top. */
const standing = z.object({
  payment_id: id,
  reference: z.string(),
  amount: pence,
  total_amount: pence.nullish(),
  state,
});
const payment = standing.extend({
  created_date: z.string(),
  refund_summary: z.object({ amount_available: pence.nullish() }).optional(),
  _links: z.object({ next_url: z.object({ href: z.url({ protocol: /^https?$/ }) }).nullish() }),
});
const refund = z.object({ refund_id: id, amount: pence, status: z.string() });
const refunds = z.object({ payment_id: id, _embedded: z.object({ refunds: z.array(refund) }) });
const dispute = z.object({
  dispute_id: id,
  payment_id: id,
  amount: pence,
  status: z.string(),
  created_date: z.string(),
});
const problem = z.object({ code: z.string(), description: z.string().optional() });
export type Standing = z.output<typeof standing>;
export type Payment = z.output<typeof payment>;
export type Refund = z.output<typeof refund>;
export type Dispute = z.output<typeof dispute>;

/** The message of a webhook: about a payment, or about a refund. */
export const message = z.object({
  id,
  resource: z.union([refund.extend({ payment_id: id }), standing]),
});

export const moneyOf = (amount: number): Money => fromMinorUnits(amount, 'GBP');

// Endpoints.

export const api = providerApi(settings, {
  source: 'https://github.com/alphagov/pay-publicapi: openapi/publicapi_spec.json, 1.0.3',
  headers: ({ api_key }) => ({ authorization: `Bearer ${api_key}` }),
  visible: [
    'reference',
    'amount',
    'total_amount',
    'payment_id',
    'state.status',
    'state.code',
    'refund_id',
    'refund_amount_available',
    'status',
    'code',
  ],
  words: ({ code, description }: z.output<typeof problem>) => ({ code, message: description ?? code }),
  reasons: new Map([
    ['P0603', { kind: 'hard', code: 'amount_not_accepted' }],
    ['P0604', { kind: 'soft', code: 'amount_not_accepted' }],
    ['P0941', { kind: 'soft', code: 'provider_unavailable' }],
  ]),
  absent: reply(404, problem, samples.absent),
});

interface NewPayment {
  readonly reference: string;
  readonly amount: Money;
  readonly description: string;
  readonly return_url: string;
  readonly delayed_capture: boolean;
}

/**
 * A payment that was made twice takes nothing twice: the payer pays at the `next_url` of one of the replies, and the other payment
 * expires (`/making_payments`, `/payment_flow`). The header Idempotency-Key is documented for recurring payments alone.
 */
export const createPayment = api.endpoint('create-payment', 'POST /v1/payments', {
  repeat: 'safe',
  request: ({ amount, ...more }: NewPayment) => ({ json: { amount: jsonNumber(amount, minorUnits), ...more } }),
  replies: {
    created: reply(201, payment, samples.created),
    refused: reply([400, 422], problem, samples.refused),
  },
});

export const getPayment = api.lookup(
  'get-payment',
  '/v1/payments/{payment_id}',
  reply(200, payment, samples.paid, samples.created, samples.held, samples.failed, samples.cancelled),
);

/** Found late: the search is not up to date at once (`/api_reference/#data-consistency`). */
export const findPayments = api.endpoint('find-payments', 'GET /v1/payments', {
  repeat: 'safe',
  request: (reference: string) => ({ query: { reference } }),
  reply: z.object({ results: z.array(standing) }),
  examples: [{ body: samples.found }, { body: samples.foundTwice }, { body: samples.nothingFound }],
});

/** A capture takes the whole payment, once: what became of it is the state of the payment. */
export const capturePayment = api.endpoint('capture-payment', 'POST /v1/payments/{payment_id}/capture', {
  repeat: 'by-reference',
  request: (payment_id: string) => ({ params: { payment_id } }),
  find: {
    endpoint: getPayment,
    input: (payment_id) => payment_id,
    read: (now) => (now.reply === 'found' && now.body.state.status === 'capturable' ? 'absent' : 'unclear'),
  },
  replies: {
    made: reply(204, z.unknown(), null),
    refused: reply([400, 404, 409], problem, samples.notCaptured),
  },
});

/** Ends a payment that is not finished, and lets go of what is held. */
export const cancelPayment = api.endpoint('cancel-payment', 'POST /v1/payments/{payment_id}/cancel', {
  repeat: 'by-reference',
  request: (payment_id: string) => ({ params: { payment_id } }),
  find: {
    endpoint: getPayment,
    input: (payment_id) => payment_id,
    read: (now) => (now.reply === 'found' && now.body.state.status === 'cancelled' ? 'unclear' : 'absent'),
  },
  replies: {
    made: reply(204, z.unknown(), null),
    refused: reply([400, 404, 409], problem, samples.notCancelled),
  },
});

export const listRefunds = api.lookup(
  'list-refunds',
  '/v1/payments/{payment_id}/refunds',
  reply(200, refunds, samples.refunds),
);

interface RefundId {
  readonly payment_id: string;
  readonly refund_id: string;
}
export const getRefund = api.endpoint('get-refund', 'GET /v1/payments/{payment_id}/refunds/{refund_id}', {
  repeat: 'safe',
  request: (params: RefundId) => ({ params: { ...params } }),
  replies: {
    found: reply(200, refund, samples.refund('success'), samples.refund('submitted'), samples.refund('error')),
    absent: reply(404, problem, samples.problem('P0700', 'Not found')),
  },
});

interface NewRefund {
  readonly payment_id: string;
  readonly amount: Money;
  /** All that could be refunded just before. */
  readonly available: Money;
  /** The refunds that earlier outcomes named. */
  readonly known: readonly string[];
}

/** A refund of this amount that no outcome has named yet. */
export const unnamed = (made: readonly Refund[], { amount, known }: Pick<NewRefund, 'amount' | 'known'>) =>
  made.find((each) => moneyOf(each.amount).minor === amount.minor && !known.includes(each.refund_id));

/**
 * A refund has neither a key nor a name of ours. It names what could be refunded before it, and is refused with P0604 once anything of that is
 * gone: so no second one is made. `/refunding_payments`: "to prevent accidentally processing a partial refund more than once".
 */
export const createRefund = api.endpoint('create-refund', 'POST /v1/payments/{payment_id}/refunds', {
  repeat: 'by-reference',
  request: ({ payment_id, amount, available }: NewRefund) => ({
    params: { payment_id },
    json: { amount: jsonNumber(amount, minorUnits), refund_amount_available: jsonNumber(available, minorUnits) },
  }),
  find: {
    endpoints: [getPayment, listRefunds],
    *steps(asked) {
      const now = yield* call(getPayment, asked.payment_id);
      if (now.reply === 'absent') return 'unclear';
      if (availableOf(now.body)?.minor === asked.available.minor) return 'absent';
      const listed = yield* call(listRefunds, asked.payment_id);
      const made = listed.reply === 'found' ? unnamed(listed.body._embedded.refunds, asked) : undefined;
      return made === undefined ? 'unclear' : { found: { reply: 'created', body: made } };
    },
  },
  replies: {
    created: reply([200, 202], refund, samples.refund('success'), samples.refund('submitted')),
    refused: reply([412, 400, 404, 422], problem, samples.notRefunded, samples.mismatch),
  },
});

export const availableOf = ({ refund_summary }: Payment): Money | undefined => {
  const available = refund_summary?.amount_available;
  return typeof available === 'number' ? moneyOf(available) : undefined;
};

/** So many disputes are on a page unless fewer are asked for (`/api_reference/#pagination`). */
export const PAGE = 500;

/** Of the whole account, from the day of a payment on: a dispute is told nowhere else, but by e-mail (`/disputes`). */
export const listDisputes = api.endpoint('list-disputes', 'GET /v1/disputes', {
  repeat: 'safe',
  request: ({ from_date, page }: { readonly from_date: string; readonly page: number }) => ({
    query: { from_date, page: String(page) },
  }),
  replies: {
    found: reply(
      200,
      z.object({ total: z.int().nonnegative(), results: z.array(dispute) }),
      ...[[], ['needs_response'], ['won'], ['lost']].map((statuses) => samples.disputes(...statuses)),
    ),
    // Of the search alone. A key that is not let in leaves the lookup unknown, so that it is made again.
    refused: reply(
      [422, 404],
      z.unknown(),
      samples.problem('P0401', 'Invalid parameters. See Public API documentation'),
    ),
    // A search takes nothing, so the lookup goes on without it.
    failed: {
      ...reply([500, 502, 503, 504], z.unknown(), samples.problem('P0498', 'Downstream system error')),
      refuses: { says: "Any 500 error - Internal server error: There's something wrong with GOV.UK Pay." },
    },
  },
});
