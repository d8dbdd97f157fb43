import {
  currencyCode,
  field,
  foundBy,
  jsonNumber,
  minorUnits,
  type Money,
  providerApi,
  type Reasons,
  type ReplyOf,
  secret,
  statusTable,
  type WireValue,
} from '@railyard/core';
import { factFields } from '@railyard/core/formats';
import * as z from 'zod';
import * as samples from './acquirer.samples.ts';
import { responseCodes } from './iso-8583.ts';

export const SOURCE = 'packages/connector-card/README.md, Acquirer';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the acquirer’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  webhook_secret: secret(z.string().min(16), 'Secret of the notification signature'),
});

const REASON = 'Declined by processing.';

/** Words of payments and of modifications. */
export const statuses = statusTable(
  {
    PENDING: 'pending',
    CHALLENGE: 'pending',
    AUTHENTICATED: 'pending',
    AUTHORISED: 'authorized',
    APPROVED: 'settled',
    DECLINED: { declined: 'hard', code: 'card_declined', reason: REASON },
    EXPIRED: {
      meaning: { declined: 'soft', code: 'timed_out', reason: 'The payer did not confirm the payment in time.' },
      says: 'the payer left the challenge unanswered',
    },
    VOIDED: { later: 'reported-by-its-modification' },
    REVERSED: { later: 'reversal' },
    HOLD_EXPIRED: { later: 'hold-expired' },
    CHARGED_BACK: { later: 'chargeback' },
    CHARGEBACK_WON: { later: 'chargeback', result: 'won' },
    CHARGEBACK_LOST: { later: 'chargeback', result: 'lost' },
  },
  responseCodes(REASON),
);

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

/** Where the facts of a transaction stand, and the names that merchants read them by (protocol: Callback and status fields). */
export const FACTS = {
  arn: 'arn',
  rrn: 'rrn',
  approval_code: 'approval_code',
  'issuer.bank': 'issuer_bank',
  'issuer.country': 'issuer_country',
  'three_d_secure.server_transaction_id': 'threeDSServerTransID',
  'three_d_secure.ds_transaction_id': 'dsTransID',
  'three_d_secure.acs_transaction_id': 'acsTransID',
  'three_d_secure.xid': 'xid',
  'three_d_secure.status': 'transStatus',
  'three_d_secure.status_reason': 'transStatusReason',
  'three_d_secure.eci': 'eci',
  'three_d_secure.version': 'protocolVersion',
  'three_d_secure.flow': 'authenticationFlow',
  'exchange.rate': 'exchange_rate',
  'exchange.base': 'exchange_rate_base',
  'exchange.currency': 'exchange_currency',
  'exchange.amount': 'exchange_amount',
} as const;

const result = () => ({
  id: z.string().min(1),
  /** Ours. */
  reference: z.string().optional(),
  status: z.string().min(1),
  /** Whole minor units. */
  amount: z.int().nonnegative(),
  currency: currencyCode(),
  response_code: z.string().optional(),
  response_message: z.string().optional(),
  ...factFields(FACTS),
});

/** Where the payer has to go: to a challenge by a POST form, to the acquirer's own page for 3-D Secure by GET, or to another page by GET. */
const action = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('three_d_secure'),
    url: z.url({ protocol: /^https?$/ }),
    fields: z.object({ creq: z.string().min(1) }).optional(),
  }),
  z.object({ type: z.literal('redirect'), url: z.url({ protocol: /^https?$/ }) }),
]);

export const payment = z.object({
  ...result(),
  action: action.optional(),
  /** The agreement under which the card may be charged again. */
  agreement_id: z.string().min(1).optional(),
  /** The challenge's result, which the payer brought back. */
  cres: z.string().min(1).optional(),
});
/** A capture, void, reversal or refund. */
export const modification = z.object(result());
const problem = z.object({ code: z.string(), message: z.string().optional() });

export type Result = z.output<typeof modification>;
export type Payment = z.output<typeof payment>;
export type PayerAction = z.output<typeof action>;
export type Problem = z.output<typeof problem>;

const refused = { status: [400, 422], body: problem } as const;
const opened = { created: { status: 201, body: payment }, declined: { status: 402, body: payment }, refused } as const;
const modified = {
  done: { status: 201, body: modification },
  declined: { status: 402, body: modification },
  refused: { status: [400, 404, 409, 422], body: problem },
} as const;

export type Opened = ReplyOf<typeof opened>;
export type Modified = ReplyOf<typeof modified>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
  keyHeader: 'idempotency-key',
  visible: ['id', 'payment_id', 'reference', 'status', 'amount', 'currency', 'response_code', 'action.type', 'code'],
});
export const { endpoints } = api;

/** By the acquirer's id, and by our reference where the reply that named it was lost. */
const lookups = <B extends z.ZodType>(name: string, path: string, found: B, sample: unknown) => {
  const declared = { found, absent: problem, samples: { found: sample, absent: samples.unknown } };
  return {
    get: api.lookup(`get-${name}`, `${path}/{id}`, declared),
    find: api.lookup(`find-${name}`, `${path}/by-reference/{reference}`, declared),
  };
};
export const payments = lookups('payment', '/v1/payments', payment, samples.payment);
export const modifications = lookups('action', '/v1/actions', modification, samples.modification);

/** The acquirer takes whole minor units. */
export const amountFields = (amount: Money) => ({ amount: jsonNumber(amount, minorUnits), currency: amount.currency });

/** A request that opens a payment: what `newPayment` makes. */
export type NewPayment = Readonly<Record<string, WireValue>> & { readonly reference: string };

const decidedExamples = [
  { is: 'created', status: 201, body: samples.payment },
  { is: 'declined', status: 402, body: samples.declined },
  { is: 'refused', status: 422, body: samples.refused },
];

/** The acquirer takes a `reference` once. It cannot be sent again with a card, because the security code is gone: it is looked up. */
const opening = (name: string, path: string, challenges: readonly unknown[] = [samples.challenge, samples.ownPage]) =>
  api.endpoint({
    name,
    path,
    repeat: 'by-reference',
    request: (json: NewPayment, { key }) => ({ headers: { 'idempotency-key': key }, json }),
    find: foundBy(payments.find, ({ reference }: NewPayment) => reference),
    replies: opened,
    examples: [...decidedExamples, ...challenges.map((body) => ({ is: 'created', status: 201, body }))],
  });

export const createSale = opening('create-sale', '/v1/sales');
export const createAuthorization = opening('create-authorization', '/v1/authorizations');
export const createDebit = opening('create-debit', '/v1/debits');
export const createVerification = opening('create-verification', '/v1/verifications');
export const createPayout = opening('create-payout', '/v1/payouts');
export const createTransfer = opening('create-transfer', '/v1/transfers');
export const createWalletPayment = opening('create-wallet-payment', '/v1/wallet-payments', [samples.redirect]);

/** No card and no payer: it can be sent again with the same key. */
const underAgreement = (name: string, path: string) =>
  api.endpoint({
    name,
    path,
    repeat: 'keyed',
    request: ({ agreement_id, ...json }: NewPayment & { readonly agreement_id: string }) => ({
      params: { agreement_id },
      json,
    }),
    replies: opened,
    examples: decidedExamples,
  });

export const chargeAgreement = underAgreement('charge-agreement', '/v1/agreements/{agreement_id}/charges');
export const authorizeAgreement = underAgreement('authorize-agreement', '/v1/agreements/{agreement_id}/authorizations');

export const completePayment = api.endpoint('complete-payment', 'POST /v1/payments/{id}/complete', {
  repeat: 'keyed',
  request: ({ id, cres }: { readonly id: string; readonly cres: string }) => ({ params: { id }, json: { cres } }),
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
    path,
    repeat: 'keyed',
    request: ({ payment, reference, amount }: NewModification) => ({
      params: { id: payment },
      json: { reference, ...(amount && amountFields(amount)) },
    }),
    replies: modified,
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
