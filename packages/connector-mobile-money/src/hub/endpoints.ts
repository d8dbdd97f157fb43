import { providerApi, type JsonNumberLiteral } from '@railyard/core';
import { sampleCharge, samplePayout, source, unknownOne, visible } from './examples.ts';
import { chargeBody, confirmation, payoutBody, problemBody, sentBody } from './replies.ts';
import { type Settings, settings } from './settings.ts';

const { endpoint } = providerApi(settings, { source: 'https://docs.example-provider.test/api' });
const created = { status: [200, 201] } as const;
const refused = { status: [400, 402, 403], body: problemBody } as const;
const absent = { status: 404, body: problemBody } as const;
const bearer = ({ api_key }: Settings) => ({ authorization: `Bearer ${api_key}` });

export const getCharge = endpoint({
  name: 'get-charge',
  path: '/v1/charges/{reference}',
  repeat: 'safe',
  request: (reference: string, { settings }) => ({ params: { reference }, headers: bearer(settings) }),
  replies: { found: { status: 200, body: chargeBody }, absent },
  examples: [
    { is: 'found', status: 200, body: { data: { ...sampleCharge, auth_model: 'STK_PROMPT' } }, source },
    { is: 'absent', status: 404, body: unknownOne, source },
  ],
  visible,
});

export interface ChargeInput {
  readonly reference: string;
  readonly amount: JsonNumberLiteral;
  readonly currency: string;
  readonly description: string;
  readonly customer: { readonly email: string; readonly name: string | undefined };
  /** Digits with the calling code. */
  readonly mobile_money: { readonly number: string };
  readonly merchant_bears_cost: boolean;
  readonly notification_url: string;
  readonly redirect_url: string;
}

/** The provider takes a `reference` once, so a request without a reply is looked up by it. */
export const createCharge = endpoint({
  name: 'create-charge',
  method: 'POST',
  path: '/v1/charges/mobile-money',
  repeat: 'by-reference',
  request: (input: ChargeInput, { settings }) => ({ headers: bearer(settings), json: { ...input } }),
  find: {
    endpoint: getCharge,
    input: ({ reference }) => reference,
    read: (answer) => (answer.reply === 'found' ? { found: { reply: 'created', body: answer.body } } : 'absent'),
  },
  replies: { created: { ...created, body: chargeBody }, refused },
  examples: [
    { is: 'created', status: 201, body: { data: { ...sampleCharge, auth_model: 'OTP' } }, source },
    { is: 'created', status: 201, body: { data: { ...sampleCharge, auth_model: 'STK_PROMPT' } }, source },
    { is: 'refused', status: 400, body: { error: { code: 'unknown_subscriber', message: 'No such wallet.' } }, source },
  ],
  visible,
});

export interface CodeInput {
  readonly reference: string;
  readonly code: string;
}

/** A charge that is looked up and still waits for its code has not got this one. */
export const sendCode = endpoint({
  name: 'send-code',
  method: 'POST',
  path: '/v1/charges/{reference}/code',
  repeat: 'by-reference',
  request: ({ reference, code }: CodeInput, { settings }) => ({
    params: { reference },
    headers: bearer(settings),
    json: { code },
  }),
  find: {
    endpoint: getCharge,
    input: ({ reference }) => reference,
    read: (answer) => {
      if (answer.reply === 'absent') return 'unclear';
      return confirmation(answer.body.data) === 'OTP' ? 'absent' : { found: { reply: 'accepted', body: answer.body } };
    },
  },
  replies: {
    accepted: { status: 200, body: chargeBody },
    wrong: { status: 422, body: problemBody },
    refused: { status: [400, 402, 403, 404, 409], body: problemBody },
  },
  examples: [
    { is: 'accepted', status: 200, body: { data: { ...sampleCharge, auth_model: 'STK_PROMPT' } }, source },
    { is: 'wrong', status: 422, body: { error: { code: 'wrong_code', message: 'The code is wrong.' } }, source },
    { is: 'refused', status: 409, body: { error: { code: 'too_many_codes', message: 'The charge failed.' } }, source },
  ],
  visible,
});

/** It sends a message and moves no money. */
export const resendCode = endpoint({
  name: 'resend-code',
  method: 'POST',
  path: '/v1/charges/{reference}/code/resend',
  repeat: 'safe',
  request: (reference: string, { settings }) => ({ params: { reference }, headers: bearer(settings) }),
  replies: {
    sent: { status: 200, body: sentBody },
    refused: { status: [400, 404, 409, 429], body: problemBody },
  },
  examples: [
    { is: 'sent', status: 200, body: { data: { reference: sampleCharge.reference, status: 'processing' } }, source },
    { is: 'refused', status: 429, body: { error: { code: 'too_soon', message: 'Wait a minute.' } }, source },
  ],
  visible,
});

export const getPayout = endpoint({
  name: 'get-payout',
  path: '/v1/payouts/{reference}',
  repeat: 'safe',
  request: (reference: string, { settings }) => ({ params: { reference }, headers: bearer(settings) }),
  replies: { found: { status: 200, body: payoutBody }, absent },
  examples: [
    { is: 'found', status: 200, body: { data: { ...samplePayout, status: 'success' } }, source },
    { is: 'absent', status: 404, body: unknownOne, source },
  ],
  visible,
});

export interface PayoutInput {
  readonly reference: string;
  readonly amount: JsonNumberLiteral;
  readonly currency: string;
  readonly narration: string;
  readonly mobile_money: { readonly operator: string; readonly mobile_number: string };
  readonly customer: { readonly email: string; readonly name: string };
  readonly payee: { readonly email: string; readonly name: string };
  readonly notification_url: string;
}

/** As a charge: a `reference` is paid out once. */
export const createPayout = endpoint({
  name: 'create-payout',
  method: 'POST',
  path: '/v1/payouts/mobile-money',
  repeat: 'by-reference',
  request: (input: PayoutInput, { settings }) => ({ headers: bearer(settings), json: { ...input } }),
  find: {
    endpoint: getPayout,
    input: ({ reference }) => reference,
    read: (answer) => (answer.reply === 'found' ? { found: { reply: 'created', body: answer.body } } : 'absent'),
  },
  replies: { created: { ...created, body: payoutBody }, refused },
  examples: [
    { is: 'created', status: 201, body: { data: samplePayout }, source },
    { is: 'refused', status: 402, body: { error: { code: 'balance_too_low', message: 'Top up first.' } }, source },
  ],
  visible,
});

export const endpoints = [createCharge, sendCode, resendCode, getCharge, createPayout, getPayout];
