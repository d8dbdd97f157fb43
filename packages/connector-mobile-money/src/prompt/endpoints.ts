import { providerApi } from '@railyard/core';
import { phoneRequest, problem, sent } from './replies.ts';
import { type Settings, settings } from './settings.ts';
import { CODE_NEEDED } from './statuses.ts';

/** Where the prompt provider's exchanges are written down. */
export const source = 'packages/connector-mobile-money/README.md, Prompt provider';
const { endpoint } = providerApi(settings, { source });

export const sampleRequest = {
  id: 'req_2f6c1d',
  status: 'waiting',
  amount: '1000',
  currency: 'XOF',
  message: 'Confirm the payment on your phone.',
  expires_at: '2026-11-21T12:02:00Z',
};
export const unknownOne = { code: 'not_found', message: 'There is no such request.' };

const visible = ['id', 'reference', 'network', 'confirmation', 'status', 'amount', 'currency', 'code'];
const apiKey = ({ api_key }: Settings) => ({ 'x-api-key': api_key });
const absent = { status: 404, body: problem } as const;
const lookups = {
  replies: { found: { status: 200, body: phoneRequest }, absent },
  examples: [
    { is: 'found', status: 200, body: sampleRequest, source },
    { is: 'absent', status: 404, body: unknownOne, source },
  ],
  visible,
} as const;

export interface RequestInput {
  readonly reference: string;
  readonly network: string;
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  /** Digits with the calling code. */
  readonly number: string;
  readonly receiver: string | undefined;
  readonly confirmation: 'prompt' | 'code';
  readonly notify_url: string;
}

/** The provider keeps one request for each `idempotency-key`. */
export const createRequest = endpoint({
  name: 'create-request',
  method: 'POST',
  path: '/requests',
  repeat: 'keyed',
  request: (input: RequestInput, { settings, key }) => ({
    headers: { ...apiKey(settings), 'idempotency-key': key },
    json: { ...input },
  }),
  replies: { created: { status: [200, 201], body: phoneRequest }, refused: { status: [400, 402, 422], body: problem } },
  examples: [
    { is: 'created', status: 201, body: { ...sampleRequest, status: CODE_NEEDED }, source },
    { is: 'created', status: 201, body: sampleRequest, source },
    { is: 'refused', status: 422, body: { code: 'no_account', message: 'The number has no account.' }, source },
  ],
  visible,
});

export const getRequest = endpoint({
  name: 'get-request',
  path: '/requests/{id}',
  repeat: 'safe',
  request: (id: string, { settings }) => ({ params: { id }, headers: apiKey(settings) }),
  ...lookups,
});

export const findRequest = endpoint({
  name: 'find-request',
  path: '/requests/reference/{reference}',
  repeat: 'safe',
  request: (reference: string, { settings }) => ({ params: { reference }, headers: apiKey(settings) }),
  ...lookups,
});

export interface CodeInput {
  readonly id: string;
  readonly code: string;
}

/** A request that is looked up and still waits for its code has not got this one. */
export const sendCode = endpoint({
  name: 'send-code',
  method: 'POST',
  path: '/requests/{id}/code',
  repeat: 'by-reference',
  request: ({ id, code }: CodeInput, { settings }) => ({ params: { id }, headers: apiKey(settings), json: { code } }),
  find: {
    endpoint: getRequest,
    input: ({ id }) => id,
    read: (answer) => {
      if (answer.reply === 'absent') return 'unclear';
      return answer.body.status === CODE_NEEDED ? 'absent' : { found: { reply: 'accepted', body: answer.body } };
    },
  },
  replies: {
    accepted: { status: 200, body: phoneRequest },
    wrong: { status: 422, body: problem },
    refused: { status: [400, 404, 409], body: problem },
  },
  examples: [
    { is: 'accepted', status: 200, body: sampleRequest, source },
    { is: 'wrong', status: 422, body: { code: 'wrong_code' }, source },
    { is: 'refused', status: 409, body: { code: 'too_many_codes', message: 'The request failed.' }, source },
  ],
  visible,
});

/** It sends a message and moves no money. */
export const resendCode = endpoint({
  name: 'resend-code',
  method: 'POST',
  path: '/requests/{id}/code/resend',
  repeat: 'safe',
  request: (id: string, { settings }) => ({ params: { id }, headers: apiKey(settings) }),
  replies: { sent: { status: 200, body: sent }, refused: { status: [404, 409, 429], body: problem } },
  examples: [
    { is: 'sent', status: 200, body: { id: sampleRequest.id }, source },
    { is: 'refused', status: 429, body: { code: 'too_soon' }, source },
  ],
  visible,
});

export const endpoints = [createRequest, sendCode, resendCode, getRequest, findRequest];
