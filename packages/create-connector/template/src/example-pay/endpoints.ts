import { providerApi } from '@railyard/core';
import { payment, problem, refund } from './replies.ts';
import { settings } from './settings.ts';

/** Where the examples come from: the page of the provider's documentation. */
const source = 'README.md, The provider’s API';
const { endpoint } = providerApi(settings, { source });

const samplePayment = {
  id: 'pay_7c2e',
  status: 'OPEN',
  amount: '10.00',
  currency: 'EUR',
  payer_url: 'https://pay.example/p/pay_7c2e',
};
const sampleRefund = {
  id: 'ref_11d0',
  payment_id: 'pay_7c2e',
  status: 'PAID',
  amount: '4.00',
  currency: 'EUR',
};
const notFound = { code: 'not_found', message: 'There is no such payment.' };
const visible = ['id', 'reference', 'status', 'amount', 'currency', 'code'];
const absent = { status: 404, body: problem } as const;

export interface PaymentInput {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  readonly account_name: string;
  readonly statement_text?: string | undefined;
  readonly return_url: string;
  readonly notify_url: string;
}

/** The provider keeps one payment for each `Idempotency-Key`, so a request without a reply is sent again with the same key. */
export const createPayment = endpoint({
  name: 'create-payment',
  method: 'POST',
  path: '/v1/payments',
  repeat: 'keyed',
  request: (input: PaymentInput, { settings, key }) => ({
    headers: { 'x-api-key': settings.api_key, 'idempotency-key': key },
    json: { ...input },
  }),
  replies: { created: { status: 201, body: payment }, refused: { status: [400, 402, 422], body: problem } },
  examples: [
    { is: 'created', status: 201, body: samplePayment, source },
    { is: 'refused', status: 422, body: { code: 'account_closed', message: 'The account is closed.' }, source },
  ],
  visible,
});

export const getPayment = endpoint({
  name: 'get-payment',
  path: '/v1/payments/{id}',
  repeat: 'safe',
  request: (id: string, { settings }) => ({ params: { id }, headers: { 'x-api-key': settings.api_key } }),
  replies: { found: { status: 200, body: payment }, absent },
  examples: [
    { is: 'found', status: 200, body: { ...samplePayment, status: 'PAID' }, source },
    { is: 'absent', status: 404, body: notFound, source },
  ],
  visible,
});

export const findPayment = endpoint({
  name: 'find-payment',
  path: '/v1/payments/by-reference/{reference}',
  repeat: 'safe',
  request: (reference: string, { settings }) => ({ params: { reference }, headers: { 'x-api-key': settings.api_key } }),
  replies: { found: { status: 200, body: payment }, absent },
  examples: [
    { is: 'found', status: 200, body: samplePayment, source },
    { is: 'absent', status: 404, body: notFound, source },
  ],
  visible,
});

export interface RefundInput {
  /** The provider's id of the payment. */
  readonly id: string;
  /** Ours for the refund. */
  readonly reference: string;
  readonly amount: string;
}

export const createRefund = endpoint({
  name: 'create-refund',
  method: 'POST',
  path: '/v1/payments/{id}/refunds',
  repeat: 'keyed',
  request: ({ id, ...json }: RefundInput, { settings, key }) => ({
    params: { id },
    headers: { 'x-api-key': settings.api_key, 'idempotency-key': key },
    json,
  }),
  replies: { created: { status: 201, body: refund }, refused: { status: [400, 404, 409, 422], body: problem } },
  examples: [
    { is: 'created', status: 201, body: sampleRefund, source },
    { is: 'refused', status: 409, body: { code: 'not_refundable' }, source },
  ],
  visible,
});

export const findRefund = endpoint({
  name: 'find-refund',
  path: '/v1/refunds/by-reference/{reference}',
  repeat: 'safe',
  request: (reference: string, { settings }) => ({ params: { reference }, headers: { 'x-api-key': settings.api_key } }),
  replies: { found: { status: 200, body: refund }, absent },
  examples: [
    { is: 'found', status: 200, body: sampleRefund, source },
    { is: 'absent', status: 404, body: notFound, source },
  ],
  visible,
});

export const endpoints = [createPayment, getPayment, findPayment, createRefund, findRefund];
