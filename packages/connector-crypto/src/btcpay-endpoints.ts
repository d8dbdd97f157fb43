import { call, currencyCode, field, providerApi, reply, secret, statusTable } from '@railyard/core';
import * as z from 'zod';
import {
  sampleAbsent,
  sampleClaim,
  sampleExpired,
  sampleFreeMethod,
  sampleInvalid,
  sampleInvoice,
  sampleMethod,
  samplePaidMethod,
  samplePayout,
  sampleProblem,
  samplePullPayment,
  sampleSeenMethod,
} from './btcpay.samples.ts';
import { coinAmount } from './coin-amount.ts';

export const SOURCE = 'https://docs.btcpayserver.org/API/Greenfield/v1, 2026-07';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the server' }),
  api_key: secret(z.string().min(1), 'API key'),
  store_id: field(z.string().min(1), { label: 'Store ID' }),
  webhook_secret: secret(z.string().min(1), 'Secret of the store’s webhook'),
});

export type Settings = z.output<typeof settings>;

/** InvoiceStatus of the description. */
export const statuses = statusTable({
  New: 'pending',
  // docs.btcpayserver.org/Invoices
  Processing: {
    meaning: 'pending',
    says: 'Paid in full, but has not received sufficient amount of confirmations specified in the store settings',
  },
  Settled: 'settled',
  Expired: { declined: 'soft', code: 'expired', reason: 'The invoice was not paid in time.' },
  Invalid: {
    meaning: { declined: 'hard', code: 'declined_by_provider', reason: 'The payment was not confirmed in time.' },
    says: 'paid and not confirmed in time, or marked so by the merchant',
  },
});
/** PayoutState, also of a claim of a refund: after one that is cancelled the payer may claim again. */
const CLAIMS: Parameters<typeof statusTable>[0] = {
  AwaitingApproval: { meaning: 'pending', says: 'a payout that the merchant has to approve' },
  AwaitingPayment: 'pending',
  InProgress: { meaning: 'pending', says: 'a payout whose transaction was sent and is not confirmed' },
  Completed: 'settled',
};
export const refunds = statusTable(CLAIMS);
export const payouts = statusTable({ ...CLAIMS, Cancelled: { declined: 'hard', code: 'cancelled' } });

// Replies.

const seconds = z.int().nonnegative();
const decimalText = z.string().regex(/^-?\d{1,20}(?:\.\d{1,18})?$/);

/** Our reference, absent where the server has none. */
const ours = () =>
  z
    .string()
    .nullish()
    .transform((each) => each ?? undefined);

const invoice = z.object({
  id: z.string().min(1),
  amount: decimalText,
  currency: currencyCode(),
  status: z.string(),
  expirationTime: seconds,
  monitoringExpiration: seconds,
  metadata: z.object({ orderId: ours() }),
});
const payment = z.object({ id: z.string().min(1), value: coinAmount(), status: z.string() });
const method = z.object({
  paymentMethodId: z.string(),
  destination: z.string().max(200),
  amount: coinAmount(),
  due: decimalText,
});
const payout = z.object({
  id: z.string().min(1),
  state: z.string(),
  originalCurrency: currencyCode(),
  originalAmount: decimalText,
  metadata: z.object({ source: ours() }).nullish(),
});
const pullPayment = z.object({
  id: z.string().min(1),
  name: z.string(),
  amount: decimalText,
  currency: currencyCode(),
  viewLink: z.url(),
});
/** One problem, or one for each wrong field. */
const problem = z.union([
  z.object({ code: z.string().optional(), message: z.string().optional() }),
  z.array(z.object({ path: z.string().optional(), message: z.string().optional() })),
]);

export type Invoice = z.output<typeof invoice>;
export type Method = z.output<typeof method>;
export type Payment = z.output<typeof payment>;
export type Payout = z.output<typeof payout>;
export type PullPayment = z.output<typeof pullPayment>;
export type Problem = z.output<typeof problem>;

// Endpoints.

export const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ authorization: `token ${api_key}` }),
  visible: ['id', 'amount', 'currency', 'status', 'additionalStatus', 'state', 'code', 'orderId'],
});

const refused = { status: [400, 403, 404, 422], body: problem } as const;
const inStore = (_input: unknown, { settings }: { readonly settings: Settings }) => ({
  params: { storeId: settings.store_id },
});

export const getInvoice = api.lookup('get-invoice', '/api/v1/invoices/{invoiceId}', {
  found: reply(200, invoice, sampleInvoice, sampleExpired, { ...sampleInvoice, status: 'Settled' }),
  absent: reply(404, problem, sampleAbsent),
});

const METHODS = '/api/v1/invoices/{invoiceId}/payment-methods';

/** Where the payer sends coins. */
export const getAddress = api.lookup('get-address', METHODS, {
  found: z.array(method),
  absent: problem,
  samples: { found: [sampleMethod], absent: sampleAbsent },
});

/** The same, for what has arrived there. */
export const getPayments = api.lookup('get-payments', METHODS, {
  found: reply(
    200,
    z.array(method.extend({ payments: z.array(payment) })),
    [samplePaidMethod],
    [sampleMethod],
    [sampleSeenMethod],
    [sampleFreeMethod],
  ),
  absent: reply(404, problem, sampleAbsent),
});

export const findInvoices = api.endpoint('find-invoices', 'GET /api/v1/stores/{storeId}/invoices', {
  repeat: 'safe',
  request: (orderId: string, at) => ({ ...inStore(orderId, at), query: { orderId } }),
  reply: z.array(invoice),
  examples: [{ status: 200, body: [sampleInvoice] }],
});

interface NewInvoice {
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  /** Ours, and what is bought. */
  readonly metadata: { readonly orderId: string; readonly itemDesc: string };
}

/** The server takes one `orderId` any number of times: an invoice without a reply is looked for and never made again. */
export const createInvoice = api.endpoint('create-invoice', 'POST /api/v1/stores/{storeId}/invoices', {
  repeat: 'once',
  request: (made: NewInvoice, at) => ({
    ...inStore(made, at),
    json: { ...made, checkout: { paymentMethods: ['BTC-CHAIN'] } },
  }),
  replies: { created: { status: 200, body: invoice }, refused },
  examples: [
    { is: 'created', status: 200, body: sampleInvoice },
    { is: 'refused', status: 400, body: sampleInvalid },
  ],
});

/** Greenfield API, Invoices_MarkInvoiceStatus: the invoice takes no payment any more. */
export const markInvalid = api.endpoint('mark-invalid', 'POST /api/v1/invoices/{invoiceId}/status', {
  repeat: 'safe',
  request: (invoiceId: string) => ({ params: { invoiceId }, json: { status: 'Invalid' } }),
  replies: { marked: { status: 200, body: invoice }, refused },
  examples: [
    { is: 'marked', status: 200, body: { ...sampleInvoice, status: 'Invalid' } },
    { is: 'refused', status: 400, body: sampleInvalid },
  ],
});

export const getPayout = api.lookup('get-payout', '/api/v1/payouts/{payoutId}', {
  found: payout,
  absent: problem,
  samples: { found: { ...samplePayout, state: 'Completed' }, absent: sampleAbsent },
});

export const listPayouts = api.endpoint('list-payouts', 'GET /api/v1/stores/{storeId}/payouts', {
  repeat: 'safe',
  request: (includeCancelled: 'true', at) => ({ ...inStore(includeCancelled, at), query: { includeCancelled } }),
  reply: z.array(payout),
  examples: [{ status: 200, body: [samplePayout] }],
});

interface NewPayout {
  readonly destination: string;
  /** Of bitcoin. */
  readonly amount: string;
  readonly metadata: { readonly source: string };
}

export const createPayout = api.endpoint('create-payout', 'POST /api/v1/stores/{storeId}/payouts', {
  repeat: 'once',
  request: (made: NewPayout, at) => ({
    ...inStore(made, at),
    json: { ...made, payoutMethodId: 'BTC-CHAIN', approved: true },
  }),
  replies: { created: { status: 200, body: payout }, refused },
  examples: [
    { is: 'created', status: 200, body: samplePayout },
    { is: 'refused', status: 400, body: sampleProblem },
  ],
});

export const listPullPayments = api.endpoint('list-pull-payments', 'GET /api/v1/stores/{storeId}/pull-payments', {
  repeat: 'safe',
  request: (_nothing: undefined, at) => inStore(undefined, at),
  reply: z.array(pullPayment),
  examples: [{ status: 200, body: [samplePullPayment] }],
});

export const getPullPayment = api.lookup('get-pull-payment', '/api/v1/pull-payments/{pullPaymentId}', {
  found: pullPayment,
  absent: problem,
  samples: { found: samplePullPayment, absent: sampleAbsent },
});

export const listClaims = api.lookup('list-claims', '/api/v1/pull-payments/{pullPaymentId}/payouts', {
  found: z.array(payout),
  absent: problem,
  samples: { found: [sampleClaim], absent: sampleAbsent },
});

/** The pull payment that carries the name of a refund, where the store has it. */
export function* refundNamed(name: string) {
  const all = yield* call(listPullPayments, undefined);
  return all.find((each) => each.name === name);
}

interface NewRefund {
  readonly invoiceId: string;
  /** Ours, within a text: a refund has no reference. */
  readonly name: string;
  readonly customAmount: string;
  readonly customCurrency: string;
}

/** It makes a link by which the payer claims the money. One whose reply is lost is looked for by its name, and never made again. */
export const createRefund = api.endpoint('create-refund', 'POST /api/v1/invoices/{invoiceId}/refund', {
  repeat: 'by-reference',
  request: ({ invoiceId, ...made }: NewRefund) => ({
    params: { invoiceId },
    json: { ...made, refundVariant: 'Custom', payoutMethods: ['BTC-CHAIN'] },
  }),
  find: {
    endpoints: [listPullPayments],
    *steps({ name }) {
      const found = yield* refundNamed(name);
      return found === undefined ? 'unclear' : { found: { reply: 'created' as const, body: found } };
    },
  },
  replies: { created: { status: 200, body: pullPayment }, refused },
  examples: [
    { is: 'created', status: 200, body: samplePullPayment },
    { is: 'refused', status: 400, body: sampleInvalid },
  ],
});
