import type { Golden } from '@railyard/conformance';

const description = 'github.com/vippsas/vipps-epayment-api, ePayment API 1.4.1: ';
const guide = 'https://developer.vippsmobilepay.com/docs/APIs/epayment-api/api-guide/operations/';
const unit = {
  'ocp-apim-subscription-key': '{settings.subscription_key}',
  'merchant-serial-number': '{settings.merchant_serial_number}',
};
const headers = { authorization: 'Bearer example-token', ...unit };
const nok = (value: number) => ({ currency: 'NOK', value });
const PSP = '37c34d8c-2649-448e-864b-060d5d93e4c4';
const PAYMENT = '/epayment/v1/payments/{reference}';

/** A payment over 25 kroner. */
const standing = (state: string, authorized = 0, cancelled = 0, captured = 0, refunded = 0) => ({
  amount: nok(2500),
  state,
  aggregate: {
    authorizedAmount: nok(authorized),
    cancelledAmount: nok(cancelled),
    capturedAmount: nok(captured),
    refundedAmount: nok(refunded),
  },
  pspReference: PSP,
  reference: '{reference}',
});
const payment = (...stands: Parameters<typeof standing>) => ({
  ...standing(...stands),
  paymentMethod: { type: 'WALLET' },
  profile: {},
});
const problem = (status: number, title: string, code: string) => ({
  status,
  body: {
    type: `https://httpstatuses.io/${status}`,
    title,
    detail: 'The request was not carried out.',
    instance: '/v1/payments',
    status,
    extraDetails: [{ name: 'ErrorCode', reason: code }],
    traceId: '00-813b63975adcaaeef2b0ec7c103c40e3-706492e906541d31-01',
  },
});

const creating = {
  endpoint: 'create-payment',
  source: `${description}POST /epayment/v1/payments, CreatePaymentRequest, UrlRedirect`,
  request: {
    method: 'POST',
    path: '/epayment/v1/payments',
    headers: { ...headers, 'idempotency-key': '{key}' },
    body: {
      amount: nok(2500),
      paymentMethod: { type: 'WALLET' },
      reference: '{reference}',
      returnUrl: '{return_url}',
      userFlow: 'WEB_REDIRECT',
      paymentDescription: 'Two books',
    },
  },
} as const;
const LANDING = 'https://landing.vipps.no?token=eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1Ni';
const created = { status: 201, body: { redirectUrl: LANDING, reference: '{reference}' } };
const visited = { nextAction: { kind: 'visit', url: LANDING, method: 'GET', reference: '{reference}' } };

const asked = { method: 'GET', path: PAYMENT, headers };
const lookUp = (when: string, body: object, outcome: object): Golden => ({
  endpoint: 'get-payment',
  source: `${description}GET /epayment/v1/payments/{reference}, State, Aggregate; ${guide}get`,
  when,
  by: { flow: 'status' },
  request: asked,
  reply: { status: 200, body },
  outcome: { providerReference: '{reference}', ...outcome },
});

const changing = (flow: 'capture' | 'refund', sample: string) =>
  ({
    endpoint: `${flow}-payment`,
    source: `${description}POST /epayment/v1/payments/{reference}/${flow}; ${guide}${flow}`,
    by: { flow, sample },
    request: {
      method: 'POST',
      path: `${PAYMENT}/${flow}`,
      headers: { ...headers, 'idempotency-key': '{modification}' },
      body: { modificationAmount: nok(2500) },
    },
  }) as const;
const cancelled = {
  endpoint: 'cancel-payment',
  source: `${description}POST /epayment/v1/payments/{reference}/cancel; ${guide}cancel`,
} as const;
const cancelling = (key: string) => ({
  method: 'POST',
  path: `${PAYMENT}/cancel`,
  headers: { ...headers, 'idempotency-key': key },
});

const event = (name: string, more: object = {}) => ({
  reference: '{reference}',
  pspReference: '2018200034',
  name,
  amount: nok(2500),
  timestamp: '2023-03-27T10:52:07.748Z',
  success: true,
  ...more,
});

export const vippsGoldens: readonly Golden[] = [
  {
    endpoint: 'token',
    source: 'https://developer.vippsmobilepay.com/docs/APIs/access-token-api/standard-authentication',
    when: 'the account proves itself',
    request: {
      method: 'POST',
      path: '/accesstoken/get',
      headers: { client_id: '{settings.client_id}', client_secret: '{settings.client_secret}', ...unit },
    },
    reply: { status: 200, body: { token_type: 'Bearer', expires_in: '86398', access_token: 'example-token' } },
  },
  {
    ...creating,
    when: 'the payer is sent to Vipps',
    by: { flow: 'purchase', sample: 'sale' },
    reply: created,
    outcome: visited,
  },
  {
    ...creating,
    when: 'money is to be held, which is asked for in the same words',
    by: { flow: 'purchase', sample: 'hold' },
    reply: created,
    outcome: visited,
  },
  {
    ...creating,
    when: 'the amount is too small',
    by: { flow: 'purchase', sample: 'sale' },
    reply: problem(400, 'Amount too small', '6010'),
    outcome: { status: 'declined', kind: 'hard', code: 'amount_not_accepted', provider: { code: '6010' } },
  },
  {
    endpoint: 'capture-payment',
    source: `${description}POST /epayment/v1/payments/{reference}/capture; ${guide}capture`,
    when: 'a sale was approved, and its payer is back',
    by: { flow: 'purchase', sample: 'sale' },
    request: {
      method: 'POST',
      path: `${PAYMENT}/capture`,
      headers: { ...headers, 'idempotency-key': '{reference}' },
      body: { modificationAmount: nok(2500) },
    },
    reply: { status: 200, body: standing('AUTHORIZED', 2500, 0, 2500) },
    outcome: { status: 'settled', providerReference: '{reference}', amount: '25.00 NOK' },
  },
  {
    endpoint: 'get-payment',
    source: `${description}GET /epayment/v1/payments/{reference}, State, Aggregate; ${guide}get`,
    when: 'the payer has approved it and closed the page',
    by: { flow: 'status', sample: 'sale' },
    request: asked,
    reply: { status: 200, body: payment('AUTHORIZED', 2500) },
  },
  lookUp('nobody has acted', payment('CREATED'), { status: 'pending' }),
  lookUp('the payer refused', payment('ABORTED'), { status: 'declined', kind: 'soft', code: 'cancelled_by_payer' }),
  lookUp('the payer did not act in time', payment('EXPIRED'), { status: 'declined', kind: 'soft', code: 'timed_out' }),
  lookUp('the merchant cancelled it before', payment('TERMINATED', 0, 2500), { status: 'declined', kind: 'hard' }),
  lookUp('it was captured', payment('AUTHORIZED', 2500, 0, 2500), { status: 'settled', amount: '25.00 NOK' }),
  lookUp('a part was captured, and the rest let go of', payment('AUTHORIZED', 2500, 1500, 1000), {
    status: 'settled',
    amount: '10.00 NOK',
  }),
  {
    endpoint: 'get-payment',
    source: 'https://developer.vippsmobilepay.com/docs/APIs/epayment-api/api-guide/errors: 5090',
    when: 'there is no such payment',
    by: { flow: 'status' },
    request: asked,
    reply: problem(404, 'Reference not found', '5090'),
    outcome: { status: 'unknown', provider: { code: '5090' } },
  },
  {
    ...changing('capture', 'hold'),
    when: 'a hold is captured',
    reply: { status: 200, body: standing('AUTHORIZED', 2500, 0, 2500) },
    outcome: { status: 'settled', providerReference: '{modification}', amount: '25.00 NOK' },
  },
  {
    ...changing('capture', 'hold'),
    when: 'a hold is captured too late',
    reply: problem(400, 'Capture period expired', '6100'),
    outcome: { status: 'declined', kind: 'hard', code: 'expired', provider: { code: '6100' } },
  },
  {
    ...changing('refund', 'sale'),
    when: 'a sale is given back',
    reply: { status: 200, body: standing('AUTHORIZED', 2500, 0, 2500, 2500) },
    outcome: { status: 'settled', providerReference: '{modification}', amount: '25.00 NOK' },
  },
  {
    ...changing('refund', 'sale'),
    when: 'less is left than is to be given back',
    reply: problem(400, 'Not enough refundable', '6150'),
    outcome: { status: 'declined', provider: { code: '6150' } },
  },
  {
    ...cancelled,
    when: 'a hold is let go of',
    by: { flow: 'void', sample: 'hold' },
    request: cancelling('{modification}'),
    reply: { status: 200, body: standing('AUTHORIZED', 2500, 2500) },
    outcome: { status: 'settled', providerReference: '{modification}', amount: '25.00 NOK' },
  },
  {
    ...cancelled,
    when: 'the payer goes another way before they approved it',
    by: { flow: 'withdraw', sample: 'sale' },
    request: cancelling('withdraw-{reference}'),
    reply: { status: 200, body: standing('TERMINATED', 0, 2500) },
    outcome: { status: 'declined', providerReference: '{reference}' },
  },
  {
    ...cancelled,
    when: 'the payer goes another way and has approved it a moment before',
    by: { flow: 'withdraw', sample: 'sale' },
    request: cancelling('withdraw-{reference}'),
    reply: { status: 200, body: standing('AUTHORIZED', 2500, 2500) },
    outcome: { status: 'declined', providerReference: '{reference}' },
  },
  {
    endpoint: 'list-events',
    source: `${description}GET /epayment/v1/payments/{reference}/events, PaymentEvent; ${guide}get-event-log`,
    when: 'a refund is looked up',
    by: { flow: 'modificationStatus' },
    request: { method: 'GET', path: `${PAYMENT}/events`, headers },
    reply: {
      status: 200,
      body: [event('AUTHORIZED'), event('CAPTURED'), event('REFUNDED', { idempotencyKey: '{modification}' })],
    },
  },
];
