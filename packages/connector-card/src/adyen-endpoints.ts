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
import * as samples from './adyen.samples.ts';

export const SOURCE = 'https://github.com/Adyen/adyen-openapi, Checkout v71';

export const settings = z.object({
  // The description's server; a live account has an address of its own (docs.adyen.com/development-resources/live-endpoints).
  base_url: field(z.url({ protocol: /^https?$/ }).default('https://checkout-test.adyen.com/v71'), {
    label: 'Address of the Checkout API',
    help: 'Live: https://<prefix>-checkout-live.adyenpayments.com/checkout/v71.',
  }),
  api_key: secret(z.string().min(1), 'API key'),
  merchant_account: field(z.string().min(1), { label: 'Merchant account' }),
  hmac_key: field(z.string().regex(/^(?:[\dA-Fa-f]{2}){16,}$/, 'Use hexadecimal digits.'), {
    label: 'HMAC key of the webhook',
    secret: true,
    example: '00112233445566778899AABBCCDDEEFF',
  }),
});

export type Settings = z.output<typeof settings>;

/** Refusal reasons whose meaning is plain (docs.adyen.com/development-resources/refusal-reasons). Others are as soft as the result code. */
export const reasons: Reasons = new Map([
  ['4', { kind: 'soft', code: 'provider_unavailable' }],
  ['5', { kind: 'hard', code: 'card_declined' }],
  ['6', { kind: 'hard', code: 'card_expired' }],
  ['7', { kind: 'hard', code: 'amount_not_accepted' }],
  ['8', { kind: 'hard', code: 'card_not_valid' }],
  ['9', { kind: 'soft', code: 'provider_unavailable' }],
  ['10', { kind: 'hard', code: 'card_not_supported' }],
  ['11', { kind: 'soft', code: 'authentication_failed' }],
  ['12', { kind: 'soft', code: 'insufficient_funds' }],
  ['14', { kind: 'hard', code: 'declined_by_provider' }],
  ['15', { kind: 'soft', code: 'cancelled' }],
  ['16', { kind: 'soft', code: 'cancelled_by_payer' }],
  ['17', { kind: 'hard', code: 'wrong_pin' }],
  ['18', { kind: 'hard', code: 'wrong_pin' }],
  ['20', { kind: 'hard', code: 'declined_by_provider' }],
  ['22', { kind: 'hard', code: 'declined_by_provider' }],
  ['23', { kind: 'hard', code: 'card_not_supported' }],
  ['24', { kind: 'soft', code: 'card_not_valid' }],
  ['25', { kind: 'hard', code: 'card_declined' }],
  ['26', { kind: 'hard', code: 'card_declined' }],
  ['28', { kind: 'soft', code: 'limit_exceeded' }],
  ['29', { kind: 'soft', code: 'limit_exceeded' }],
  ['31', { kind: 'hard', code: 'card_declined' }],
  ['32', { kind: 'soft', code: 'card_not_valid' }],
  ['38', { kind: 'soft', code: 'authentication_failed' }],
  ['39', { kind: 'soft', code: 'authentication_failed' }],
  ['42', { kind: 'soft', code: 'authentication_failed' }],
  ['46', { kind: 'hard', code: 'declined_by_provider' }],
]);

/** Result codes of cards, the one status of modifications, and the codes of events about a payment. */
export const statuses = statusTable(
  {
    Authorised: 'settled',
    RedirectShopper: 'pending',
    Pending: 'pending',
    Received: 'pending',
    received: 'pending',
    Refused: { declined: 'soft', code: 'card_declined' },
    // `PaymentResponse.resultCode` of the description says these two. `ChallengeShopper` and `IdentifyShopper` are left out: no page shows
    // what they ask of the payer, so that the payment could wait for ever.
    Cancelled: {
      meaning: { declined: 'soft', code: 'cancelled' },
      says: 'the payment has been cancelled (either by the shopper or the merchant) before processing was completed. This is a final state.',
    },
    Error: {
      meaning: { declined: 'soft', code: 'provider_error' },
      says: 'There was an error when the payment was being processed. … This is a final state.',
    },
    CHARGEBACK: { later: 'chargeback' },
    CHARGEBACK_REVERSED: { later: 'chargeback', result: 'won' },
    // Each takes the money again after the merchant's defence had brought it back (docs.adyen.com, Dispute webhooks).
    SECOND_CHARGEBACK: {
      meaning: { later: 'chargeback' },
      says: 'The issuing bank declined the material submitted during defense of the original chargeback. The disputed amount is deducted from your account.',
    },
    PREARBITRATION_LOST: {
      meaning: { later: 'chargeback', result: 'lost' },
      says: "The cardholder's bank declined the pre-arbitration case.",
    },
    EXPIRE: { later: 'hold-expired' },
  },
  reasons,
);

/** Adyen, "Currency codes and minor units". */
export const DECIMALS = { CLP: 2, CVE: 0, IDR: 0, ISK: 2 };
const decimals = providerDecimals(DECIMALS);

// Replies.

/** Any amount that its currency cannot hold is not understood. */
export const amount = z
  .object({ currency: currencyCode(), value: z.int().nonnegative() })
  .refine(({ currency, value }) => decimals.holds(value, currency));

export const moneyOf = ({ currency, value }: z.output<typeof amount>) => decimals.fromMinorUnits(value, currency);

/** Names with a dot in them are one name. */
export const additional = z.object({
  authCode: z.string().optional(),
  arn: z.string().optional(),
  dsTransID: z.string().optional(),
  eci: z.string().optional(),
  threeDSVersion: z.string().optional(),
  'tokenization.storedPaymentMethodId': z.string().min(1).optional(),
  'tokenization.shopperReference': z.string().min(1).optional(),
});

const answered = z.object({
  pspReference: z.string().min(1).optional(),
  merchantReference: z.string().optional(),
  resultCode: z.string().min(1),
  amount: amount.optional(),
  refusalReason: z.string().optional(),
  refusalReasonCode: z.string().optional(),
  additionalData: additional.optional(),
  action: z
    .object({
      type: z.string(),
      method: z.string().optional(),
      url: z.url({ protocol: /^https?$/ }).optional(),
      data: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
});
const accepted = z.object({
  paymentPspReference: z.string().min(1),
  pspReference: z.string().min(1),
  reference: z.string().optional(),
  status: z.string().min(1),
  amount: amount.optional(),
});
const problem = z.object({ errorCode: z.string().optional(), message: z.string().optional() });

export type Answered = z.output<typeof answered>;
export type Problem = z.output<typeof problem>;

const refused = { status: [400, 403, 422], body: problem } as const;

// Endpoints.

export const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
  keyHeader: 'idempotency-key',
  // At least 31 days after the first request (docs.adyen.com/development-resources/api-idempotency).
  keyed: { forHours: 31 * 24 },
  visible: [
    'reference',
    'merchantReference',
    'pspReference',
    'paymentPspReference',
    'resultCode',
    'refusalReason',
    'refusalReasonCode',
    'status',
    'amount.value',
    'amount.currency',
    'action.type',
    'errorCode',
  ],
});

export const isCounted = decimals.counts;

export const amountField = (money: Money) => ({
  currency: money.currency,
  value: jsonNumber(money, decimals.minorUnits),
});

/** The body of a request without the account. */
export type Fields = Readonly<Record<string, WireValue>>;

const results = [
  { is: 'answered', status: 200, body: samples.authorised },
  { is: 'answered', status: 200, body: samples.refused },
  { is: 'answered', status: 200, body: samples.received },
  { is: 'answered', status: 200, body: samples.tokenized },
  { is: 'refused', status: 422, body: samples.problem },
];

export const createPayment = api.endpoint('create-payment', 'POST /payments', {
  repeat: 'keyed',
  request: (fields: Fields, { settings: { merchant_account: merchantAccount } }) => ({
    json: { merchantAccount, ...fields },
  }),
  replies: { answered: { status: 200, body: answered }, refused },
  examples: [
    ...results,
    { is: 'answered', status: 200, body: samples.redirectShopper },
    { is: 'answered', status: 200, body: samples.postShopper },
    { is: 'answered', status: 200, body: samples.awaited },
  ],
});

/** It names no account: the result that the payer brought names the payment. */
export const paymentDetails = api.endpoint('payment-details', 'POST /payments/details', {
  repeat: 'keyed',
  request: (redirectResult: string) => ({ json: { details: { redirectResult } } }),
  replies: { answered: { status: 200, body: answered }, refused },
  examples: results,
});

interface Modification {
  readonly payment: string;
  readonly reference: string;
  /** Nothing: all of it. */
  readonly amount?: Money | undefined;
}

const modifying = (name: string, change: string, sample: unknown) =>
  api.endpoint({
    name,
    path: `/payments/{paymentPspReference}/${change}`,
    repeat: 'keyed',
    request: (
      { payment, reference, amount: money }: Modification,
      { settings: { merchant_account: merchantAccount } },
    ) => ({
      params: { paymentPspReference: payment },
      json: { merchantAccount, reference, ...(money && { amount: amountField(money) }) },
    }),
    replies: { accepted: { status: 201, body: accepted }, refused },
    examples: [
      { is: 'accepted', status: 201, body: sample },
      { is: 'refused', status: 422, body: samples.problem },
    ],
  });

export const capture = modifying('capture', 'captures', samples.acceptedAmount);
export const refund = modifying('refund', 'refunds', samples.acceptedAmount);
export const cancel = modifying('cancel', 'cancels', samples.accepted);
export const reverse = modifying('reverse', 'reversals', samples.accepted);

/** Lists and changes nothing: whether the account's credentials are right. */
export const listPaymentMethods = api.endpoint('list-payment-methods', 'POST /paymentMethods', {
  repeat: 'safe',
  request: (_none: void, { settings: { merchant_account: merchantAccount } }) => ({ json: { merchantAccount } }),
  replies: {
    listed: {
      status: 200,
      body: z.object({ paymentMethods: z.array(z.object({ type: z.string().optional() })).optional() }),
    },
    refused,
  },
  examples: [
    { is: 'listed', status: 200, body: samples.paymentMethods },
    { is: 'refused', status: 403, body: samples.wrongAccount },
    { is: 'refused', status: 403, body: samples.speechless },
  ],
});
