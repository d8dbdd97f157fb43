import type { Golden } from '@railyard/conformance';

const README = 'packages/connector-mobile-money/README.md';

const hub = `${README}, Hub provider`;
const bearer = { authorization: 'Bearer {settings.api_key}' };
const charge = {
  reference: 'chg_7d0f3a52',
  payment_reference: '{reference}',
  status: 'processing',
  amount: 25,
  currency: 'KES',
  auth_model: 'STK_PROMPT',
  message: 'Enter your PIN on your phone to confirm.',
  expires_at: '2026-11-21T12:02:00Z',
};
const chargeRequest = {
  reference: '{reference}',
  description: 'Two books',
  customer: { email: 'ada@example.com', name: 'Ada Example' },
  merchant_bears_cost: false,
  notification_url: '{notify_url}',
  redirect_url: '{return_url}',
};
const prompt = {
  kind: 'confirm-on-device',
  channel: 'stk',
  number: '+254 •••••-5678',
  message: 'Enter your PIN on your phone to confirm.',
  validUntil: '2026-11-21T12:02:00.000Z',
};
const payout = {
  reference: 'out_51c07c2a',
  payment_reference: '{reference}',
  status: 'processing',
  amount: 100,
  currency: 'KES',
};

/** Exchanges of the hub as its documentation shows them. */
export const hubGoldens: readonly Golden[] = [
  {
    endpoint: 'create-charge',
    source: hub,
    when: 'the payer confirms with a PIN on the phone',
    by: { flow: 'purchase', sample: 'prompt' },
    request: {
      method: 'POST',
      path: '/v1/charges/mobile-money',
      headers: bearer,
      body: { ...chargeRequest, amount: 25, currency: 'KES', mobile_money: { number: '254712345678' } },
    },
    reply: { status: 201, body: { data: charge } },
    outcome: { status: 'pending', providerReference: 'chg_7d0f3a52', show: prompt },
  },
  {
    endpoint: 'create-charge',
    source: hub,
    when: 'the payer confirms on the provider’s page',
    by: { flow: 'purchase', sample: 'page' },
    request: {
      method: 'POST',
      path: '/v1/charges/mobile-money',
      headers: bearer,
      body: { ...chargeRequest, amount: 25, currency: 'XOF', mobile_money: { number: '2250123456789' } },
    },
    reply: {
      status: 201,
      body: {
        data: { ...charge, currency: 'XOF', auth_model: 'REDIRECT', redirect_url: 'https://pay.example/chg_7d0f3a52' },
      },
    },
    outcome: {
      status: 'pending',
      show: { kind: 'redirect', url: 'https://pay.example/chg_7d0f3a52', surface: 'page' },
    },
  },
  {
    endpoint: 'create-charge',
    source: hub,
    when: 'the number has no account',
    by: { flow: 'purchase', sample: 'prompt' },
    request: {
      method: 'POST',
      path: '/v1/charges/mobile-money',
      headers: bearer,
      body: { ...chargeRequest, amount: 25, currency: 'KES', mobile_money: { number: '254712345678' } },
    },
    reply: { status: 400, body: { error: { code: 'unknown_subscriber', message: 'No such wallet.' } } },
    outcome: { status: 'declined', kind: 'hard', reason: 'The number has no mobile money account.' },
  },
  {
    endpoint: 'create-charge',
    source: hub,
    when: 'the payer first enters a code from a text message',
    by: { flow: 'purchase', sample: 'code' },
    request: {
      method: 'POST',
      path: '/v1/charges/mobile-money',
      headers: bearer,
      body: { ...chargeRequest, amount: 25, currency: 'GHS', mobile_money: { number: '233240000000' } },
    },
    reply: { status: 201, body: { data: { ...charge, currency: 'GHS', auth_model: 'OTP' } } },
    outcome: { nextAction: { kind: 'collect', step: 'code', resend: true } },
  },
  {
    endpoint: 'send-code',
    source: hub,
    when: 'the payer has entered the code from the text message',
    by: { flow: 'purchase', sample: 'code' },
    request: { method: 'POST', path: '/v1/charges/{reference}/code', headers: bearer, body: { code: '123456' } },
    reply: { status: 200, body: { data: charge } },
    outcome: { status: 'pending', providerReference: 'chg_7d0f3a52', show: { ...prompt, number: '+233 •••••-0000' } },
  },
  {
    endpoint: 'resend-code',
    source: hub,
    when: 'the payer asks for another code',
    by: { flow: 'purchase', sample: 'code' },
    request: { method: 'POST', path: '/v1/charges/{reference}/code/resend', headers: bearer },
    reply: { status: 200, body: { data: { reference: 'chg_7d0f3a52', status: 'processing' } } },
  },
  {
    endpoint: 'get-charge',
    source: hub,
    when: 'a charge is looked up',
    by: { flow: 'status', sample: 'prompt' },
    request: { method: 'GET', path: '/v1/charges/{reference}', headers: bearer },
    reply: { status: 200, body: { data: { ...charge, status: 'success' } } },
    outcome: { status: 'settled', providerReference: 'chg_7d0f3a52' },
  },
  {
    endpoint: 'get-charge',
    source: hub,
    when: 'the payer did not confirm in time',
    by: { flow: 'status', sample: 'prompt' },
    request: { method: 'GET', path: '/v1/charges/{reference}', headers: bearer },
    reply: { status: 200, body: { data: { ...charge, status: 'timed_out' } } },
    outcome: { status: 'declined', kind: 'soft' },
  },
  {
    endpoint: 'create-payout',
    source: hub,
    when: 'money goes to a phone',
    by: { flow: 'credit', sample: 'kenya' },
    request: {
      method: 'POST',
      path: '/v1/payouts/mobile-money',
      headers: bearer,
      body: {
        reference: '{reference}',
        amount: 100,
        currency: 'KES',
        narration: 'Two books',
        mobile_money: { operator: 'safaricom-ke', mobile_number: '254712345678' },
        customer: { email: 'ada@example.com', name: 'Ada B.' },
        payee: { email: 'payee@example.com', name: 'Ada Lovelace' },
        notification_url: '{notify_url}',
      },
    },
    reply: { status: 201, body: { data: payout } },
    outcome: { status: 'pending', providerReference: 'out_51c07c2a' },
  },
  {
    endpoint: 'get-payout',
    source: hub,
    when: 'a payout is looked up',
    by: { flow: 'status', sample: 'kenya' },
    request: { method: 'GET', path: '/v1/payouts/{reference}', headers: bearer },
    reply: { status: 200, body: { data: { ...payout, status: 'success' } } },
    outcome: { status: 'settled', providerReference: 'out_51c07c2a' },
  },
];

const prompts = `${README}, Prompt provider`;
const apiKey = { 'x-api-key': '{settings.api_key}' };
const phoneRequest = {
  id: 'req_2f6c1d',
  reference: '{reference}',
  status: 'waiting',
  amount: '25',
  currency: 'XOF',
  message: 'Confirm the payment on your phone.',
  expires_at: '2026-11-21T12:02:00Z',
};
const request = {
  reference: '{reference}',
  amount: '25',
  currency: 'XOF',
  description: 'Two books',
  notify_url: '{notify_url}',
};

/** Exchanges of the prompt provider as its documentation shows them. */
export const promptGoldens: readonly Golden[] = [
  {
    endpoint: 'create-request',
    source: prompts,
    when: 'a payer in Benin confirms on the phone',
    by: { method: 'mobile-money-bj-a', flow: 'purchase' },
    request: {
      method: 'POST',
      path: '/requests',
      headers: { ...apiKey, 'idempotency-key': '{key}' },
      body: { ...request, network: 'bj-a', number: '2290195123456', confirmation: 'prompt' },
    },
    reply: { status: 201, body: phoneRequest },
    outcome: { status: 'pending', providerReference: 'req_2f6c1d' },
  },
  {
    endpoint: 'create-request',
    source: prompts,
    when: 'a code is sent to the payer, who pays for another person',
    by: { method: 'mobile-money-otp', flow: 'purchase', sample: 'code' },
    request: {
      method: 'POST',
      path: '/requests',
      headers: { ...apiKey, 'idempotency-key': '{key}' },
      body: {
        ...request,
        network: 'any',
        number: '22890112345',
        receiver: '2290195123456',
        confirmation: 'code',
      },
    },
    reply: { status: 201, body: { ...phoneRequest, status: 'code_needed' } },
    outcome: { nextAction: { kind: 'collect', step: 'code', resend: true } },
  },
  {
    endpoint: 'send-code',
    source: prompts,
    when: 'the payer has entered the code',
    by: { method: 'mobile-money-otp', flow: 'purchase', sample: 'code' },
    request: { method: 'POST', path: '/requests/req_2f6c1d/code', headers: apiKey, body: { code: '4711' } },
    reply: { status: 200, body: { ...phoneRequest, status: 'confirmed' } },
    outcome: { status: 'settled', providerReference: 'req_2f6c1d' },
  },
  {
    endpoint: 'resend-code',
    source: prompts,
    when: 'the payer asks for another code',
    by: { method: 'mobile-money-otp', flow: 'purchase', sample: 'code' },
    request: { method: 'POST', path: '/requests/req_2f6c1d/code/resend', headers: apiKey },
    reply: { status: 200, body: { id: 'req_2f6c1d' } },
  },
  {
    endpoint: 'get-request',
    source: prompts,
    when: 'a request is looked up',
    by: { method: 'mobile-money-bj-a', flow: 'status' },
    request: { method: 'GET', path: '/requests/{provider_reference}', headers: apiKey },
    reply: { status: 200, body: { ...phoneRequest, id: '{provider_reference}', status: 'no_money' } },
    outcome: { status: 'declined', kind: 'soft' },
  },
  {
    endpoint: 'find-request',
    source: prompts,
    when: 'the reply to a request was lost',
    by: { method: 'mobile-money-bj-a', flow: 'status' },
    request: { method: 'GET', path: '/requests/reference/{reference}', headers: apiKey },
    reply: { status: 200, body: phoneRequest },
    outcome: { status: 'pending', providerReference: 'req_2f6c1d' },
  },
];

const narrative = `${README}, Narrative provider`;
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const LOGIN = '<APIUsername>{settings.username}</APIUsername><APIPassword>{settings.password}</APIPassword>';
const transaction = (status: string) =>
  `<Response><Status>OK</Status><StatusCode>0</StatusCode><TransactionStatus>${status}</TransactionStatus>` +
  '<TransactionReference>T7d0f3a52</TransactionReference><ExternalReference>{reference}</ExternalReference>' +
  '<Amount>25</Amount><CurrencyCode>UGX</CurrencyCode></Response>';

/** Exchanges of the narrative provider as its documentation shows them, byte for byte. */
export const narrativeGoldens: readonly Golden[] = [
  {
    endpoint: 'create-deposit',
    source: narrative,
    when: 'a payer confirms on the phone, with a file attached',
    request: {
      method: 'POST',
      path: '/deposits',
      body: `${DECLARATION}<Request>${LOGIN}<Method>Deposit</Method><Amount>25</Amount><Account>256712345678</Account><AccountProviderCode>MTN_UGANDA</AccountProviderCode><Narrative>Two books</Narrative><NarrativeFileName>a.pdf</NarrativeFileName><NarrativeFileBase64>JVBERi0=</NarrativeFileBase64><ProviderReferenceText>Thank you</ProviderReferenceText><ExternalReference>{reference}</ExternalReference><NotificationUrl>{notify_url}</NotificationUrl><Currency>UGX</Currency></Request>`,
    },
    reply: { status: 200, body: transaction('PENDING') },
    outcome: { status: 'pending', providerReference: 'T7d0f3a52' },
  },
  {
    endpoint: 'find-transaction',
    source: narrative,
    when: 'a transaction is looked up',
    request: {
      method: 'POST',
      path: '/transactions/check',
      body: `${DECLARATION}<Request>${LOGIN}<Method>CheckTransaction</Method><ExternalReference>{reference}</ExternalReference></Request>`,
    },
    reply: { status: 200, body: transaction('SUCCEEDED') },
    outcome: { status: 'settled', providerReference: 'T7d0f3a52' },
  },
];
