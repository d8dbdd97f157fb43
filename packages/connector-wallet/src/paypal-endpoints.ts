import {
  field,
  type Money,
  providerApi,
  type Reasons,
  reply,
  secret,
  statusTable,
  type WireValue,
  withAmount,
} from '@railyard/core';
import { providerDecimals } from '@railyard/core/formats';
import * as z from 'zod';
import * as samples from './paypal.samples.ts';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }).default('https://api-m.paypal.com'), {
    label: 'Address of the API',
    help: 'The sandbox is https://api-m.sandbox.paypal.com.',
  }),
  client_id: field(z.string().min(1), { label: 'Client ID of the app' }),
  client_secret: secret(z.string().min(1), 'Secret of the app'),
  webhook_id: field(z.string().min(1).max(50), { label: 'ID of the app’s webhook' }),
});
export type Settings = z.output<typeof settings>;

/** Of captures, refunds and authorisations, and of an order that has made none. Of an order two words mean something else. */
export const statuses = statusTable({
  COMPLETED: 'settled',
  // The money arrived; each refund is told apart by its id.
  PARTIALLY_REFUNDED: 'settled',
  REFUNDED: 'settled',
  PENDING: 'pending',
  DECLINED: { declined: 'soft', code: 'declined_by_provider' },
  FAILED: { declined: 'soft', code: 'provider_error' },
  CANCELLED: { declined: 'hard', code: 'cancelled' },
  CREATED: 'authorized',
  PARTIALLY_CAPTURED: 'authorized',
  CAPTURED: 'authorized',
  DENIED: { declined: 'soft', code: 'declined_by_provider' },
  VOIDED: { ended: 'hard', code: 'cancelled' },
  // developer.paypal.com/docs/api/orders/v2, order_status says these two.
  ORDER_CREATED: { meaning: 'pending', says: 'The order was created with the specified context.' },
  SAVED: 'pending',
  PAYER_ACTION_REQUIRED: 'pending',
  APPROVED: 'pending',
  ORDER_VOIDED: {
    meaning: { declined: 'hard', code: 'cancelled' },
    says: 'All purchase units in the order are voided.',
  },
});

/** developer.paypal.com/docs/api/reference/currency-codes, note 1. JPY has none in ISO 4217 either. */
export const DECIMALS = { HUF: 0, TWD: 0 };
const decimals = providerDecimals(DECIMALS);
export const isCounted = decimals.counts;
export const amountFields = (amount: Money) => ({ currency_code: amount.currency, value: decimals.decimal(amount) });

// Replies.

const id = z.string().min(1);
const amount = withAmount(
  z
    .object({ currency_code: z.string(), value: z.string() })
    .transform(({ currency_code: currency, value }) => ({ amount: value, currency })),
);
/** An authorisation, a capture or a refund. */
export const movement = z.object({
  id,
  status: z.string(),
  amount,
  custom_id: z.string().optional(),
  invoice_id: z.string().optional(),
  status_details: z.object({ reason: z.string().optional() }).optional(),
  supplementary_data: z.object({ related_ids: z.object({ order_id: id.optional() }).optional() }).optional(),
});
const movements = z.array(movement).optional();
const payments = z.object({ authorizations: movements, captures: movements, refunds: movements }).optional();
export const order = z.object({
  id,
  status: z.string(),
  purchase_units: z.tuple([z.object({ amount, custom_id: z.string().optional(), payments })]),
  links: z.array(z.object({ rel: z.string(), href: z.url({ protocol: /^https?$/ }) })).optional(),
});
const problem = z.object({
  name: z.string(),
  message: z.string().optional(),
  details: z.array(z.object({ issue: z.string(), description: z.string().optional() })).optional(),
});
export type Order = z.output<typeof order>;
export type Movement = z.output<typeof movement>;

/** The issues of the description whose meaning is plain. Others are hard. */
export const reasons: Reasons = new Map([
  ['ORDER_NOT_APPROVED', { kind: 'soft', code: 'cancelled_by_payer' }],
  ['PAYER_ACTION_REQUIRED', { kind: 'soft', code: 'not_completed' }],
  ['ORDER_EXPIRED', { kind: 'soft', code: 'expired' }],
  ['AUTHORIZATION_EXPIRED', { kind: 'hard', code: 'expired' }],
  ['INSTRUMENT_DECLINED', { kind: 'soft', code: 'declined_by_bank' }],
  ['REDIRECT_PAYER_FOR_ALTERNATE_FUNDING', { kind: 'soft', code: 'declined_by_bank' }],
  ['PAYER_CANNOT_PAY', { kind: 'soft', code: 'declined_by_provider' }],
  ['PAYER_ACCOUNT_LOCKED_OR_CLOSED', { kind: 'hard', code: 'account_closed' }],
  ['PAYER_ACCOUNT_RESTRICTED', { kind: 'hard', code: 'account_restricted' }],
  ['TRANSACTION_LIMIT_EXCEEDED', { kind: 'hard', code: 'limit_exceeded' }],
  ['TRANSACTION_RECEIVING_LIMIT_EXCEEDED', { kind: 'hard', code: 'limit_exceeded' }],
  ['REFUND_FAILED_INSUFFICIENT_FUNDS', { kind: 'soft', code: 'insufficient_funds' }],
  ['MAX_VALUE_EXCEEDED', { kind: 'hard', code: 'amount_not_accepted' }],
  ['AUTH_CAPTURE_NOT_ENABLED', { kind: 'hard', code: 'not_supported' }],
]);

/** Issues that say that an earlier request did it. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set([
  'ORDER_ALREADY_CAPTURED',
  'ORDER_ALREADY_AUTHORIZED',
  'ORDER_COMPLETED_OR_VOIDED',
  'ORDER_COMPLETION_IN_PROGRESS',
  'AUTHORIZATION_ALREADY_CAPTURED',
  'DUPLICATE_INVOICE_ID',
  'PREVIOUSLY_VOIDED',
]);

// Endpoints.

export const api = providerApi(settings, {
  source: 'https://github.com/paypal/paypal-rest-api-specifications: Orders 2.13 and Payments 2.5, 2024-02',
  visible: ['id', 'intent', 'status', 'amount.value', 'amount.currency_code', 'name', 'details.0.issue'].concat(
    ...['authorizations', 'captures', 'refunds'].map((made) =>
      ['id', 'status', 'amount.value'].map((name) => `purchase_units.0.payments.${made}.0.${name}`),
    ),
  ),
  words: ({ name, message, details: [first] = [] }: z.output<typeof problem>) => ({
    code: first?.issue ?? name,
    message: first?.description ?? message,
  }),
  token: {
    path: '/v1/oauth2/token',
    client: ({ client_id: id, client_secret }) => ({ by: 'basic', id, secret: client_secret }),
    examples: [{ status: 200, body: samples.token }],
  },
  reasons,
  takenBefore: TAKEN_BEFORE,
});

interface Posted {
  readonly id?: string;
  readonly json?: { readonly [name: string]: WireValue };
}
const WHOLE = { prefer: 'return=representation' };
const refused = reply([400, 403, 404, 422], problem, samples.refused);

/** "The server stores keys for 6 hours" (Orders v2, PayPal-Request-Id). An order is taken once, whatever its key, so it may be older. */
const ONCE_PER_ORDER = { repeat: 'keyed' } as const;
/** "The server stores keys for 45 days" (Payments v2, PayPal-Request-Id). */
const FOR_45_DAYS = { repeat: 'keyed', keyed: { forHours: 45 * 24 } } as const;
const SAFE = { repeat: 'safe' } as const;

const posting = <B extends z.ZodType>(
  name: string,
  path: string,
  body: B,
  shown: readonly unknown[],
  repeated: typeof ONCE_PER_ORDER | typeof FOR_45_DAYS | typeof SAFE,
) =>
  api.endpoint({
    name,
    path,
    method: 'POST',
    ...repeated,
    request: ({ id: named, json = {} }: Posted, { key }) => ({
      headers: { ...WHOLE, 'paypal-request-id': key },
      ...(named !== undefined && { params: { id: named } }),
      json,
    }),
    // 200: what an earlier request under the key made.
    replies: { made: reply([201, 200], body, ...shown), refused },
  });

const ORDERS = '/v2/checkout/orders';
/** An order moves no money before it is captured or authorised, which this side alone asks for. */
export const createOrder = posting('create-order', ORDERS, order, [samples.created, samples.withoutLinks], SAFE);
export const captureOrder = posting(
  'capture-order',
  `${ORDERS}/{id}/capture`,
  order,
  [samples.captured],
  ONCE_PER_ORDER,
);
export const authorizeOrder = posting(
  'authorize-order',
  `${ORDERS}/{id}/authorize`,
  order,
  [samples.authorized],
  ONCE_PER_ORDER,
);

const HOLD = '/v2/payments/authorizations/{id}';
export const captureHold = posting('capture-hold', `${HOLD}/capture`, movement, [samples.captureOfHold], FOR_45_DAYS);
const CAPTURE = '/v2/payments/captures/{id}';
export const refundCapture = posting('refund-capture', `${CAPTURE}/refund`, movement, [samples.refund], FOR_45_DAYS);

export const getOrder = api.lookup('get-order', `${ORDERS}/{id}`, {
  found: reply(200, order, samples.captured),
  absent: reply(404, problem, samples.absent),
});

export const holdOf = ({ purchase_units: [unit] }: Order) => unit.payments?.authorizations?.[0];

/** It takes no key. Of a hold that was let go of, the order says so. */
export const voidHold = api.endpoint('void-hold', `POST ${HOLD}/void`, {
  repeat: 'by-reference',
  request: ({ hold }: Readonly<Record<'hold' | 'order', string>>) => ({ headers: WHOLE, params: { id: hold } }),
  find: {
    endpoint: getOrder,
    input: ({ order: of }) => of,
    read: (answer) => {
      const body = answer.reply === 'found' ? holdOf(answer.body) : undefined;
      return body?.status === 'VOIDED' ? { found: { reply: 'made' as const, body } } : 'absent';
    },
  },
  replies: { made: reply(200, movement, samples.voided), refused },
});

export const PROOF = ['auth_algo', 'cert_url', 'transmission_id', 'transmission_sig', 'transmission_time'];

interface Question {
  readonly proof: Readonly<Record<string, string>>;
  readonly event: string;
}

/** docs.paypal.ai/reference/api/rest/verify-webhook-signature: the call is not in the description. */
export const verifySignature = api.endpoint(
  'verify-webhook-signature',
  'POST /v1/notifications/verify-webhook-signature',
  {
    repeat: 'safe',
    request: ({ proof, event }: Question, { settings: { webhook_id } }) => {
      const asked = JSON.stringify({ ...proof, webhook_id });
      // The event as it arrived, byte for byte: its checksum is signed.
      const text = `${asked.slice(0, -1)},"webhook_event":${event}}`;
      return { headers: { 'content-type': 'application/json' }, text };
    },
    reply: z.object({ verification_status: z.enum(['SUCCESS', 'FAILURE']) }),
    examples: [{ body: { verification_status: 'SUCCESS' } }, { body: { verification_status: 'FAILURE' } }],
  },
);
