import {
  currencyCode,
  type DeclineCode,
  field,
  foundBy,
  jsonNumber,
  minorUnits,
  type Money,
  providerApi,
  type Reasons,
  secret,
  statusTable,
  type WireValue,
} from '@railyard/core';
import * as z from 'zod';
import * as samples from './acquirer.samples.ts';

export const SOURCE = 'packages/connector-card/README.md, Acquirer';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the acquirer’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  webhook_secret: secret(z.string().min(16), 'Secret of the notification signature'),
});

/** Words of payments and of modifications. */
export const statuses = statusTable({
  PENDING: 'pending',
  CHALLENGE: 'pending',
  AUTHENTICATED: 'pending',
  AUTHORISED: 'authorized',
  APPROVED: 'settled',
  DECLINED: { declined: 'hard', code: 'card_declined', reason: 'Declined by processing.' },
  EXPIRED: { declined: 'soft', code: 'timed_out', reason: 'The payer did not confirm the payment in time.' },
});

type PostSettlementEvent =
  | { readonly kind: 'reversal' }
  | { readonly kind: 'hold-expired' }
  | { readonly kind: 'chargeback'; readonly result?: 'won' | 'lost' }
  | 'reported-elsewhere';

/** Words for what became of a payment after it had money. `VOIDED` is reported by the void itself. */
export const POST_SETTLEMENT_EVENTS: ReadonlyMap<string, PostSettlementEvent> = new Map<string, PostSettlementEvent>([
  ['REVERSED', { kind: 'reversal' }],
  ['HOLD_EXPIRED', { kind: 'hold-expired' }],
  ['CHARGED_BACK', { kind: 'chargeback' }],
  ['CHARGEBACK_WON', { kind: 'chargeback', result: 'won' }],
  ['CHARGEBACK_LOST', { kind: 'chargeback', result: 'lost' }],
  ['VOIDED', 'reported-elsewhere'],
]);

/**
 * Response codes after which another attempt, or another acquirer, may succeed (ISO 8583, data element 39): referral, do not
 * honour, try again, no money, PIN tries, over the limit, authentication wanted, issuer or system not to be reached.
 */
export const SOFT_CODES = new Set(['01', '05', '19', '51', '61', '65', '1A', '70', '91', '92', '96']);

/** Response codes (ISO 8583, data element 39) that a payer can do something about. */
export const RESPONSES: ReadonlyMap<string, DeclineCode> = new Map([
  ['14', 'card_not_valid'],
  ['19', 'provider_unavailable'],
  ['1A', 'authentication_failed'],
  ['33', 'card_expired'],
  ['51', 'insufficient_funds'],
  ['54', 'card_expired'],
  ['55', 'wrong_pin'],
  ['61', 'limit_exceeded'],
  ['65', 'authentication_failed'],
  ['70', 'authentication_failed'],
  ['75', 'wrong_pin'],
  ['91', 'provider_unavailable'],
  ['92', 'provider_unavailable'],
  ['96', 'provider_unavailable'],
]);

/** Refusals that the payer can do something about, with the reason in the protocol's words (reference: Test data). */
export const REFUSALS: Reasons = new Map([
  [
    'brand_not_supported',
    { kind: 'hard', code: 'card_not_supported', reason: 'Bad Request. Brand of card does not support.' },
  ],
]);

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['duplicate_reference', 'idempotency_key_in_use']);

// Replies.

/** A fact never decides about money: one that cannot be read is left out, and the reply still counts. */
const fact = z.unknown().optional();

const result = {
  id: z.string().min(1),
  /** Ours. */
  reference: z.string().optional(),
  status: z.string().min(1),
  /** Whole minor units. */
  amount: z.int().nonnegative(),
  currency: currencyCode(),
  response_code: z.string().optional(),
  response_message: z.string().optional(),
  // Facts of the transaction, read by `FACTS`.
  arn: fact,
  rrn: fact,
  approval_code: fact,
  issuer: fact,
  three_d_secure: fact,
  exchange: fact,
};

/** Where the payer has to go: to a challenge by a POST form, or to a page by GET. */
const action = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('three_d_secure'),
    url: z.url({ protocol: /^https?$/ }),
    fields: z.object({ creq: z.string().min(1) }),
  }),
  z.object({ type: z.literal('redirect'), url: z.url({ protocol: /^https?$/ }) }),
]);

export const payment = z.object({
  ...result,
  action: action.optional(),
  /** The agreement under which the card may be charged again. */
  agreement_id: z.string().min(1).optional(),
  /** The challenge's result, which the payer brought back. */
  cres: z.string().min(1).optional(),
});
/** A capture, void, reversal or refund. */
export const modification = z.object(result);
const problem = z.object({ code: z.string(), message: z.string().optional() });

export type Result = z.output<typeof modification>;
export type Payment = z.output<typeof payment>;
export type PayerAction = z.output<typeof action>;
export type Problem = z.output<typeof problem>;

const refused = { status: [400, 422], body: problem } as const;
const opened = {
  created: { status: 201, body: payment },
  declined: { status: 402, body: payment },
  refused,
} as const;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
  visible: ['id', 'payment_id', 'reference', 'status', 'amount', 'currency', 'response_code', 'action.type', 'code'],
});
export const { endpoints } = api;

const payments = {
  found: payment,
  absent: problem,
  samples: { found: samples.payment, absent: samples.unknown },
};
export const getPayment = api.lookup('get-payment', '/v1/payments/{id}', payments);
export const findPayment = api.lookup('find-payment', '/v1/payments/by-reference/{reference}', payments);

const modifications = {
  found: modification,
  absent: problem,
  samples: { found: samples.modification, absent: samples.unknown },
};
export const getModification = api.lookup('get-action', '/v1/actions/{id}', modifications);
export const findModification = api.lookup('find-action', '/v1/actions/by-reference/{reference}', modifications);

/** The fields of a request that opens a payment. */
export interface NewPayment {
  readonly reference: string;
  readonly amount: Money;
  readonly description: string;
  readonly notifyUrl: string;
  /** Card, payer and the like, under the acquirer's names. */
  readonly fields: Readonly<Record<string, WireValue>>;
}

/** The acquirer takes a `reference` once. It cannot be sent again with a card: the security code is gone. */
const openingRequest = ({ amount, notifyUrl, fields, ...named }: NewPayment, { key }: { readonly key: string }) => ({
  headers: { 'idempotency-key': key },
  json: {
    ...named,
    amount: jsonNumber(amount, minorUnits),
    currency: amount.currency,
    notification_url: notifyUrl,
    ...fields,
  },
});

const decidedExamples = [
  { is: 'created', status: 201, body: samples.payment },
  { is: 'declined', status: 402, body: samples.declined },
  { is: 'refused', status: 422, body: samples.refused },
];

/** A request without a reply is looked up by its reference. */
const opening = (name: string, path: string, challenge: unknown = samples.challenge) =>
  api.endpoint({
    name,
    method: 'POST',
    path,
    repeat: 'by-reference',
    request: openingRequest,
    find: foundBy(findPayment, ({ reference }: NewPayment) => reference),
    replies: opened,
    examples: [...decidedExamples, { is: 'created', status: 201, body: challenge }],
  });

export const createSale = opening('create-sale', '/v1/sales');
export const createAuthorization = opening('create-authorization', '/v1/authorizations');
export const createDebit = opening('create-debit', '/v1/debits');
export const createVerification = opening('create-verification', '/v1/verifications');
export const createPayout = opening('create-payout', '/v1/payouts');
export const createTransfer = opening('create-transfer', '/v1/transfers');
export const createWalletPayment = opening('create-wallet-payment', '/v1/wallet-payments', samples.redirect);

/** No card and no payer: it can be sent again with the same key. */
const underAgreement = (name: string, path: string) =>
  api.endpoint({
    name,
    method: 'POST',
    path,
    repeat: 'keyed',
    request: ({ agreement, ...charge }: NewPayment & { readonly agreement: string }, context) => ({
      ...openingRequest(charge, context),
      params: { agreement_id: agreement },
    }),
    replies: opened,
    examples: decidedExamples,
  });

export const chargeAgreement = underAgreement('charge-agreement', '/v1/agreements/{agreement_id}/charges');
export const authorizeAgreement = underAgreement('authorize-agreement', '/v1/agreements/{agreement_id}/authorizations');

export const completePayment = api.endpoint({
  name: 'complete-payment',
  method: 'POST',
  path: '/v1/payments/{id}/complete',
  repeat: 'keyed',
  request: ({ id, cres }: { readonly id: string; readonly cres: string }, { key }) => ({
    params: { id },
    headers: { 'idempotency-key': key },
    json: { cres },
  }),
  replies: opened,
  examples: decidedExamples,
});

interface NewModification {
  /** The acquirer's id of the payment. */
  readonly payment: string;
  /** Ours for the modification. */
  readonly reference: string;
  /** Nothing: all of it. */
  readonly amount?: Money;
}

const modifying = (name: string, path: string) =>
  api.endpoint({
    name,
    method: 'POST',
    path,
    repeat: 'keyed',
    request: ({ payment, reference, amount }: NewModification, { key }) => ({
      params: { id: payment },
      headers: { 'idempotency-key': key },
      json: { reference, ...(amount && { amount: jsonNumber(amount, minorUnits), currency: amount.currency }) },
    }),
    replies: {
      done: { status: 201, body: modification },
      declined: { status: 402, body: modification },
      refused: { status: [400, 404, 409, 422], body: problem },
    },
    examples: [
      { is: 'done', status: 201, body: samples.modification },
      { is: 'declined', status: 402, body: { ...samples.modification, status: 'DECLINED', response_code: '05' } },
      { is: 'refused', status: 409, body: samples.notAllowed },
    ],
  });

export const capturePayment = modifying('capture-payment', '/v1/payments/{id}/captures');
export const voidPayment = modifying('void-payment', '/v1/payments/{id}/voids');
export const reverseAuthorization = modifying('reverse-authorization', '/v1/payments/{id}/reversals');
export const refundPayment = modifying('refund-payment', '/v1/payments/{id}/refunds');
