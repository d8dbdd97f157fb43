import {
  providerApi,
  type Example,
  jsonNumber,
  minorUnits,
  type Money,
  type RequestContext,
  type WireValue,
} from '@railyard/core';
import { findPayment } from './lookup-endpoints.ts';
import { type AcquirerPayment, challengedPayment, payment, problem } from './replies.ts';
import {
  challengeExample,
  declinedExample,
  paymentExample,
  redirectExample,
  refusedExample,
  source,
  visible,
} from './samples.ts';
import { type Settings, settings } from './settings.ts';

const { endpoint } = providerApi(settings, { source: 'https://docs.example-provider.test/api' });

/** The fields of a request that opens a payment. */
export interface NewPayment {
  readonly reference: string;
  readonly amount: Money;
  readonly description: string;
  readonly notifyUrl: string;
  /** Card, payer and the like, under the acquirer's names. */
  readonly fields: Readonly<Record<string, WireValue>>;
}

const replies = {
  created: { status: 201, body: payment },
  challenge: { status: 202, body: challengedPayment },
  declined: { status: 402, body: payment },
  refused: { status: [400, 422], body: problem },
} as const;

const decidedAtOnce = {
  created: replies.created,
  declined: replies.declined,
  refused: replies.refused,
} as const;

const decidedExamples = [
  { is: 'created', status: 201, body: paymentExample, source },
  { is: 'declined', status: 402, body: declinedExample, source },
  { is: 'refused', status: 422, body: refusedExample, source },
];
const examples = [...decidedExamples, { is: 'challenge', status: 202, body: challengeExample, source }];

function bodyOf({
  reference,
  amount,
  description,
  notifyUrl,
  fields,
}: NewPayment): Readonly<Record<string, WireValue>> {
  return {
    reference,
    amount: jsonNumber(amount, minorUnits),
    currency: amount.currency,
    description,
    notification_url: notifyUrl,
    ...fields,
  };
}

function request(input: NewPayment, { settings, key }: RequestContext<Settings>) {
  return { headers: { 'x-api-key': settings.api_key, 'idempotency-key': key }, json: bodyOf(input) };
}

/** The reply that a lost request would have had, where the payer may have to go somewhere. */
function replyOf(found: AcquirerPayment) {
  const { action, ...rest } = found;
  return found.status === 'CHALLENGE' && action !== undefined
    ? ({ reply: 'challenge', body: { ...rest, action } } as const)
    : decidedReplyOf(found);
}

function decidedReplyOf(found: AcquirerPayment) {
  return { reply: found.status === 'DECLINED' ? ('declined' as const) : ('created' as const), body: found };
}

/** The acquirer takes a `reference` once, so a request without a reply is looked up by it. It cannot be repeated: the code is gone. */
const opening = (name: string, path: string, own: readonly Example[] = examples) =>
  endpoint({
    name,
    method: 'POST',
    path,
    repeat: 'by-reference',
    request,
    find: {
      endpoint: findPayment,
      input: ({ reference }) => reference,
      read: (answer) => (answer.reply === 'found' ? { found: replyOf(answer.body) } : 'absent'),
    },
    replies,
    examples: own,
    visible,
  });

export const createSale = opening('create-sale', '/v1/sales');
export const createAuthorization = opening('create-authorization', '/v1/authorizations');
export const createDebit = opening('create-debit', '/v1/debits');
export const createVerification = opening('create-verification', '/v1/verifications');
export const createTransfer = opening('create-transfer', '/v1/transfers');
export const createWalletPayment = opening('create-wallet-payment', '/v1/wallet-payments', [
  ...decidedExamples,
  { is: 'challenge', status: 202, body: redirectExample, source },
]);

/** A payout needs no challenge. */
export const createPayout = endpoint({
  name: 'create-payout',
  method: 'POST',
  path: '/v1/payouts',
  repeat: 'by-reference',
  request,
  find: {
    endpoint: findPayment,
    input: ({ reference }) => reference,
    read: (answer) => (answer.reply === 'found' ? { found: decidedReplyOf(answer.body) } : 'absent'),
  },
  replies: decidedAtOnce,
  examples: decidedExamples,
  visible,
});

export interface AgreementCharge extends NewPayment {
  readonly agreement: string;
}

/** No card and no payer: it can be sent again with the same key. */
const underAgreement = (name: string, path: string) =>
  endpoint({
    name,
    method: 'POST',
    path,
    repeat: 'keyed',
    request: ({ agreement, ...charge }: AgreementCharge, context) => ({
      ...request(charge, context),
      params: { agreement_id: agreement },
    }),
    replies: decidedAtOnce,
    examples: decidedExamples,
    visible,
  });

export const chargeAgreement = underAgreement('charge-agreement', '/v1/agreements/{agreement_id}/charges');
export const authorizeAgreement = underAgreement('authorize-agreement', '/v1/agreements/{agreement_id}/authorizations');

export interface Completion {
  readonly id: string;
  readonly cres: string;
}

export const completePayment = endpoint({
  name: 'complete-payment',
  method: 'POST',
  path: '/v1/payments/{id}/complete',
  repeat: 'keyed',
  request: ({ id, cres }: Completion, { settings, key }) => ({
    params: { id },
    headers: { 'x-api-key': settings.api_key, 'idempotency-key': key },
    json: { cres },
  }),
  replies: decidedAtOnce,
  examples: decidedExamples,
  visible,
});
