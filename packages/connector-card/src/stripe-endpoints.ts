import {
  currencyCode,
  field,
  jsonNumber,
  type Money,
  providerApi,
  type Reasons,
  secret,
  statusTable,
  type WireValue,
} from '@railyard/core';
import { providerDecimals } from '@railyard/core/formats';
import * as z from 'zod';
import * as samples from './stripe.samples.ts';
import { canceled, held, redirecting, saved, succeeded } from './stripe.samples.ts';

/** The version of the API that the package's types describe; every request names it. */
export const VERSION = '2026-10-28.endive';
export const SOURCE = `npm package stripe 23.1.0, API ${VERSION}`;

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }).default('https://api.stripe.com'), { label: 'Address of the API' }),
  secret_key: secret(z.string().min(1), 'Secret key'),
  webhook_secret: secret(z.string().min(1), 'Signing secret of the webhook endpoint'),
});
export type Settings = z.output<typeof settings>;

/** Decline and error codes whose meaning is plain (docs.stripe.com/declines/codes; `LastPaymentError.Code`). Others are soft. */
export const reasons: Reasons = new Map([
  ['insufficient_funds', { kind: 'soft', code: 'insufficient_funds' }],
  ['card_velocity_exceeded', { kind: 'soft', code: 'limit_exceeded' }],
  ['expired_card', { kind: 'hard', code: 'card_expired' }],
  ['incorrect_number', { kind: 'hard', code: 'card_not_valid' }],
  ['invalid_number', { kind: 'hard', code: 'card_not_valid' }],
  ['invalid_expiry_month', { kind: 'hard', code: 'card_not_valid' }],
  ['invalid_expiry_year', { kind: 'hard', code: 'card_not_valid' }],
  ['incorrect_cvc', { kind: 'soft', code: 'card_not_valid' }],
  ['invalid_cvc', { kind: 'soft', code: 'card_not_valid' }],
  ['withdrawal_count_limit_exceeded', { kind: 'soft', code: 'limit_exceeded' }],
  ['invalid_account', { kind: 'hard', code: 'card_not_valid' }],
  ['new_account_information_available', { kind: 'hard', code: 'card_not_valid' }],
  ['incorrect_zip', { kind: 'soft', code: 'card_not_valid' }],
  ['testmode_decline', { kind: 'hard', code: 'card_not_valid' }],
  ['lost_card', { kind: 'hard', code: 'card_declined' }],
  ['stolen_card', { kind: 'hard', code: 'card_declined' }],
  ['pickup_card', { kind: 'hard', code: 'card_declined' }],
  ['restricted_card', { kind: 'hard', code: 'card_declined' }],
  ['do_not_try_again', { kind: 'hard', code: 'card_declined' }],
  ['revocation_of_authorization', { kind: 'hard', code: 'card_declined' }],
  ['revocation_of_all_authorizations', { kind: 'hard', code: 'card_declined' }],
  ['stop_payment_order', { kind: 'hard', code: 'card_declined' }],
  ['merchant_blacklist', { kind: 'hard', code: 'declined_by_provider' }],
  ['fraudulent', { kind: 'hard', code: 'declined_by_provider' }],
  ['card_not_supported', { kind: 'hard', code: 'card_not_supported' }],
  ['currency_not_supported', { kind: 'hard', code: 'card_not_supported' }],
  ['authentication_required', { kind: 'soft', code: 'authentication_failed' }],
  ['payment_intent_authentication_failure', { kind: 'soft', code: 'authentication_failed' }],
  ['processing_error', { kind: 'soft', code: 'provider_error' }],
  ['issuer_not_available', { kind: 'soft', code: 'provider_unavailable' }],
  ['amount_too_small', { kind: 'hard', code: 'amount_not_accepted' }],
  ['amount_too_large', { kind: 'hard', code: 'amount_not_accepted' }],
]);

/** Of PaymentIntents, of refunds, and of disputes. `payment_failed` and `hold_canceled` are words for what two fields say together. */
export const statuses = statusTable(
  {
    succeeded: 'settled',
    requires_capture: 'authorized',
    requires_action: 'pending',
    // docs.stripe.com/payments/paymentintents/lifecycle
    requires_confirmation: {
      meaning: 'pending',
      says: 'After the customer provides their payment information, the PaymentIntent is ready to be confirmed.',
    },
    requires_payment_method: 'pending',
    processing: 'pending',
    payment_failed: { declined: 'soft', code: 'card_declined' },
    canceled: { declined: 'soft', code: 'cancelled' },
    hold_canceled: { later: 'hold-expired' },
    pending: 'pending',
    failed: { declined: 'hard', code: 'declined_by_provider' },
    needs_response: { later: 'chargeback' },
    under_review: { meaning: { later: 'chargeback' }, says: 'evidence was submitted, and the bank decides' },
    won: { later: 'chargeback', result: 'won' },
    lost: { later: 'chargeback', result: 'lost' },
  },
  reasons,
);

/** docs.stripe.com/currencies: "Zero-decimal currencies" and "Special cases". */
export const DECIMALS = { ISK: 2, MGA: 0, UGX: 2 };
const decimals = providerDecimals(DECIMALS);

/** "Three-decimal currencies" of the same page: the last digit is 0. Those with four decimals are like them. */
export const STEPS: Readonly<Record<string, number>> = Object.fromEntries(
  ['BHD', 'CLF', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND', 'UYW'].map((code) => [code, 10]),
);
export const isCounted = (amount: Money): boolean =>
  decimals.counts(amount) && amount.minor % BigInt(STEPS[amount.currency] ?? 1) === 0n;
export const units = (money: Money) => jsonNumber(money, decimals.minorUnits);
export const moneyOf = (value: number, currency: string): Money => decimals.fromMinorUnits(value, currency);

// Replies.

const id = z.string().min(1);
const value = z.int().nonnegative();
const money = () => ({ amount: value, currency: z.string().toUpperCase().pipe(currencyCode()) });
/** Any amount that its currency cannot hold is not understood. */
const isAmount = ({ amount, currency }: { readonly amount: number; readonly currency: string }) =>
  decimals.holds(amount, currency);
const metadata = z.record(z.string(), z.string());
const lastError = z.object({
  code: z.string().optional(),
  decline_code: z.string().optional(),
  message: z.string().optional(),
});

const about = () => ({ id, ...money(), status: z.string(), payment_intent: id });
export const refund = z
  .object({ object: z.literal('refund'), ...about(), metadata: metadata.nullable() })
  .refine(isAmount);
export const intent = z
  .object({
    object: z.literal('payment_intent'),
    id,
    ...money(),
    status: z.string(),
    amount_received: value,
    capture_method: z.string(),
    customer: id.nullable(),
    payment_method: id.nullable(),
    latest_charge: z
      .union([
        id,
        z.object({
          id,
          disputed: z.boolean(),
          refunds: z.object({ data: z.array(refund), has_more: z.boolean() }),
        }),
      ])
      .nullable(),
    last_payment_error: lastError.nullable(),
    metadata,
    next_action: z
      .object({ redirect_to_url: z.object({ url: z.url({ protocol: /^https?$/ }).nullable() }).optional() })
      .nullable(),
  })
  .refine(isAmount);
export const dispute = z.object({ object: z.literal('dispute'), ...about() }).refine(isAmount);
const problem = z.object({
  error: lastError.extend({ type: z.string(), payment_intent: z.object({ id }).optional() }),
});
export type Intent = z.output<typeof intent>;
export type Refund = z.output<typeof refund>;
export type Dispute = z.output<typeof dispute>;
export type Problem = z.output<typeof problem>;

// Endpoints.

export const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ secret_key }) => ({ authorization: `Bearer ${secret_key}`, 'stripe-version': VERSION }),
  keyHeader: 'idempotency-key',
  // "We automatically remove keys from the system after they’re at least 24 hours old" (docs.stripe.com/api/idempotent_requests).
  keyed: { forHours: 24 },
  visible: ['id', 'object', 'status', 'amount', 'amount_received', 'currency', 'capture_method', 'payment_intent']
    .concat(['metadata.reference', 'last_payment_error.code', 'last_payment_error.decline_code'])
    .concat(['error.type', 'error.code', 'error.decline_code', 'data.id', 'data.status']),
});

/** The form of a request. The tests hold the builders of `stripe.ts` against the package's types. */
export type Fields = Readonly<Record<string, WireValue>>;

const refused = { status: [400, 402, 403, 404], body: problem } as const;
const samplesRefused = [samples.problem, samples.otherFields].map((body) => ({ is: 'refused', status: 400, body }));

/** Keyed: a key is answered again with the first reply for a day at least (docs.stripe.com/api/idempotent_requests). */
const posting = <B extends z.ZodType>(name: string, path: string, body: B, ...made: readonly unknown[]) =>
  api.endpoint({
    name,
    path,
    repeat: 'keyed',
    request: ({ intent: named, form }: { readonly intent?: string; readonly form: Fields }) => ({
      ...(named !== undefined && { params: { intent: named } }),
      form,
    }),
    replies: { made: { status: 200, body }, refused },
    examples: [...made.map((sample) => ({ is: 'made', status: 200, body: sample })), ...samplesRefused],
  });

const named = z.object({ id });
/** An object that moves no money may be made twice: a card that is gone before its payment was asked for is asked for again. */
const naming = (name: string, path: string, body: unknown) =>
  api.endpoint({
    name,
    path,
    method: 'POST',
    repeat: 'safe',
    request: (form: Fields, { key }) => ({ headers: { 'idempotency-key': key }, form }),
    replies: { made: { status: 200, body: named }, refused },
    examples: [{ is: 'made', status: 200, body }, ...samplesRefused],
  });
export const createPaymentMethod = naming('create-payment-method', '/v1/payment_methods', samples.paymentMethod);
export const createCustomer = naming('create-customer', '/v1/customers', samples.customer);
export const createIntent = posting(
  'create-payment-intent',
  '/v1/payment_intents',
  intent,
  succeeded,
  held,
  saved,
  redirecting,
);
export const captureIntent = posting('capture', '/v1/payment_intents/{intent}/capture', intent, samples.captured);
export const cancelIntent = posting('cancel', '/v1/payment_intents/{intent}/cancel', intent, canceled);
export const createRefund = posting('create-refund', '/v1/refunds', refund, samples.refund);

const absent = problem;
/** A charge that is not expanded names no refund (`PaymentIntentRetrieveParams.expand`, `Charge.refunds`). */
export const getIntent = api.endpoint('get-payment-intent', 'GET /v1/payment_intents/{intent}', {
  repeat: 'safe',
  request: (named: string) => ({ params: { intent: named }, query: { 'expand[0]': 'latest_charge.refunds' } }),
  replies: { found: { status: 200, body: intent }, absent: { status: 404, body: absent } },
  examples: [
    { is: 'found', status: 200, body: succeeded },
    { is: 'found', status: 200, body: samples.disputed },
    { is: 'found', status: 200, body: samples.oftenRefunded },
    { is: 'absent', status: 404, body: samples.absent },
  ],
});
export const getRefund = api.lookup('get-refund', '/v1/refunds/{refund}', {
  found: refund,
  absent,
  samples: { found: samples.refund, absent: samples.absent },
});

/** A new payment is found after a minute or so (`PaymentIntentResource.search`). */
export const searchIntents = api.endpoint({
  name: 'search-payment-intents',
  path: '/v1/payment_intents/search',
  repeat: 'safe',
  request: (reference: string) => ({
    query: { query: `metadata['reference']:'${reference}'`, 'expand[0]': 'data.latest_charge.refunds' },
  }),
  reply: z.object({ data: z.array(intent) }),
  examples: [samples.found, samples.nothing].map((body) => ({ body })),
});

interface Listed {
  readonly of: string;
  /** The last one of the page before. */
  readonly after: string | undefined;
}

/** Of one payment, the newest first, in pages of a hundred (docs.stripe.com/api/pagination). */
const listing = <B extends z.ZodType>(name: string, path: string, each: B, ...bodies: readonly unknown[]) =>
  api.endpoint({
    name,
    path,
    repeat: 'safe',
    request: ({ of, after }: Listed) => ({
      query: { payment_intent: of, limit: '100', ...(after !== undefined && { starting_after: after }) },
    }),
    reply: z.object({ data: z.array(each), has_more: z.boolean() }),
    examples: bodies.map((body) => ({ body })),
  });
export const listRefunds = listing('list-refunds', '/v1/refunds', refund, samples.refunds, samples.moreRefunds);

/** A charge says only whether there is one (`Charge.disputed`, `DisputeListParams`). */
export const listDisputes = listing('list-disputes', '/v1/disputes', dispute, samples.disputes);

/** It changes nothing: whether the key is right. */
export const getBalance = api.endpoint('get-balance', 'GET /v1/balance', {
  repeat: 'safe',
  request: () => ({}),
  replies: {
    read: { status: 200, body: z.object({ object: z.literal('balance') }) },
    refused: { status: [401, 403], body: problem },
  },
  examples: [
    { is: 'read', status: 200, body: samples.balance },
    { is: 'refused', status: 401, body: samples.wrongKey },
    { is: 'refused', status: 403, body: samples.speechless },
  ],
});
