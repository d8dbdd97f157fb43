import { providerApi } from '@railyard/core';
import { actionOnPayment, payment, problem } from './replies.ts';
import { actionExample, paymentExample, source, unknownExample, visible } from './samples.ts';
import { settings } from './settings.ts';

const { endpoint } = providerApi(settings, { source: 'https://docs.example-provider.test/api' });
const absent = { status: 404, body: problem } as const;
const examplesOf = (body: unknown) => [
  { is: 'found', status: 200, body, source },
  { is: 'absent', status: 404, body: unknownExample, source },
];

export const getPayment = endpoint({
  name: 'get-payment',
  path: '/v1/payments/{id}',
  repeat: 'safe',
  request: (id: string, { settings }) => ({ params: { id }, headers: { 'x-api-key': settings.api_key } }),
  replies: { found: { status: 200, body: payment }, absent },
  examples: examplesOf(paymentExample),
  visible,
});

export const findPayment = endpoint({
  name: 'find-payment',
  path: '/v1/payments/by-reference/{reference}',
  repeat: 'safe',
  request: (reference: string, { settings }) => ({ params: { reference }, headers: { 'x-api-key': settings.api_key } }),
  replies: { found: { status: 200, body: payment }, absent },
  examples: examplesOf(paymentExample),
  visible,
});

export const getAction = endpoint({
  name: 'get-action',
  path: '/v1/actions/{id}',
  repeat: 'safe',
  request: (id: string, { settings }) => ({ params: { id }, headers: { 'x-api-key': settings.api_key } }),
  replies: { found: { status: 200, body: actionOnPayment }, absent },
  examples: examplesOf(actionExample),
  visible,
});

export const findAction = endpoint({
  name: 'find-action',
  path: '/v1/actions/by-reference/{reference}',
  repeat: 'safe',
  request: (reference: string, { settings }) => ({ params: { reference }, headers: { 'x-api-key': settings.api_key } }),
  replies: { found: { status: 200, body: actionOnPayment }, absent },
  examples: examplesOf(actionExample),
  visible,
});
