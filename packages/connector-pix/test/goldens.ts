import type { Golden } from '@railyard/conformance';

/** Written from the README's tables, apart from the connectors. */
const instant = 'packages/connector-pix/README.md, Instant provider';
const collection = 'packages/connector-pix/README.md, Collection provider';
const payerId = 'packages/connector-pix/README.md, Provider that wants the payer’s document';

const code =
  '00020101021226480014br.gov.bcb.pix2526pix.example/qr/v2/9d36b84f5204000053039865802BR5912Loja Exemplo6009SAO PAULO62070503***6304D34F';
const key = { 'x-api-key': '{settings.api_key}' };
const charge = {
  qr_code_id: 'qr_9d36b84f',
  external_id: '{reference}',
  status: 'PENDING',
  amount: '25.00',
  currency: 'BRL',
  base_64_image: 'iVBORw0KGgo=',
  pix_copy_and_paste: code,
  expires_at: '2026-11-21T13:00:00Z',
};
const shown = { kind: 'qr', content: code, validUntil: '2026-11-21T13:00:00Z' };
const newCharge = {
  method: 'POST',
  path: '/v1/charges',
  headers: key,
  body: {
    external_id: '{reference}',
    amount: '25.00',
    currency: 'BRL',
    description: 'Two books',
    callback_url: '{notify_url}',
    fine: '1.00',
    type_fine: 'VALUE',
    type_document: 'CPF',
    debtor_document: '52998224725',
    debtor_name: 'Maria Silva',
  },
};
const newPayout = {
  method: 'POST',
  path: '/v1/payouts',
  headers: { ...key, 'idempotency-key': '{key}' },
  body: {
    external_id: '{reference}',
    amount: '25.00',
    currency: 'BRL',
    description: 'Two books',
    key: 'fulano@example.com',
    key_type: 'EMAIL',
    source_account_number: '12345',
    branch_identifier: '0001',
  },
};
const payout = {
  payout_id: 'po_1',
  external_id: '{reference}',
  status: 'PROCESSING',
  amount: '25.00',
  currency: 'BRL',
};

export const instantGoldens: readonly Golden[] = [
  {
    endpoint: 'create-charge',
    source: instant,
    when: 'a code is made',
    request: newCharge,
    reply: { status: 201, body: charge },
    outcome: { status: 'pending', providerReference: 'qr_9d36b84f', show: shown },
  },
  {
    endpoint: 'create-charge',
    source: instant,
    when: 'the request is refused',
    request: newCharge,
    reply: { status: 422, body: { code: 'invalid_debtor', message: 'The debtor is not accepted.' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'invalid_debtor' } },
  },
  ...(
    [
      ['PENDING', { status: 'pending' }],
      ['PROCESSING', { status: 'pending' }],
      ['PAID', { status: 'settled', amount: '25.00 BRL' }],
      ['EXPIRED', { status: 'declined', kind: 'soft' }],
      ['CANCELLED', { status: 'declined', kind: 'hard' }],
      ['REJECTED', { status: 'declined', kind: 'hard' }],
    ] as const
  ).map(([status, outcome]) => ({
    endpoint: 'get-charge',
    source: instant,
    when: `the charge is ${status}`,
    request: { method: 'GET', path: '/v1/charges/{provider_reference}', headers: key },
    reply: { status: 200, body: { ...charge, qr_code_id: '{provider_reference}', status } },
    outcome,
  })),
  {
    endpoint: 'find-charge',
    source: instant,
    when: 'the reply to the request was lost, and the provider never saw it',
    request: { method: 'GET', path: '/v1/charges/external/{reference}', headers: key },
    reply: { status: 404, body: { code: 'not_found', message: 'No such payment.' } },
    outcome: { status: 'unknown' },
  },
  {
    endpoint: 'renew-charge',
    source: instant,
    when: 'a code has expired',
    request: {
      method: 'POST',
      path: '/v1/charges/{provider_reference}/renew',
      headers: { ...key, 'idempotency-key': '{key}' },
    },
    reply: { status: 201, body: { ...charge, qr_code_id: 'qr_c1f4e7b2' } },
    outcome: { status: 'pending', providerReference: 'qr_c1f4e7b2', show: shown },
  },
  {
    endpoint: 'create-payout',
    source: instant,
    when: 'money is sent to a key',
    request: newPayout,
    reply: { status: 201, body: payout },
    outcome: { status: 'pending', providerReference: 'po_1' },
  },
  {
    endpoint: 'find-payout',
    source: instant,
    when: 'the payout has arrived',
    request: { method: 'GET', path: '/v1/payouts/external/{reference}', headers: key },
    reply: { status: 200, body: { ...payout, status: 'PAID' } },
    outcome: { status: 'settled', providerReference: 'po_1', amount: '25.00 BRL' },
  },
];

const collected = {
  id: 'col-1',
  reference: '{reference}',
  status: 'CREATED',
  amount: 25,
  currency: 'BRL',
  qrCode: code,
  expiryDate: '2037-01-01T00:00:00Z',
};

export const collectionGoldens: readonly Golden[] = [
  {
    endpoint: 'create-collection',
    source: collection,
    when: 'a code is made',
    request: {
      method: 'POST',
      path: '/collections',
      headers: { ...key, 'idempotency-key': '{key}' },
      // As bytes, because the digits of the amount count.
      body: '{"amount":25.00,"expiryDate":"2037-01-01T00:00:00Z","callbackUrl":"{notify_url}","reference":"{reference}","merchantType":"RETAIL","merchantName":"Shop","accountId":"acc-1","market":"BR","type":"PIX","currency":"BRL"}',
    },
    reply: { status: 201, body: collected },
    outcome: {
      status: 'pending',
      providerReference: 'col-1',
      show: { kind: 'qr', content: code, validUntil: '2037-01-01T00:00:00.000Z' },
    },
  },
  ...(
    [
      ['CREATED', { status: 'pending' }],
      ['PENDING', { status: 'pending' }],
      ['PAID', { status: 'settled', amount: '25.00 BRL' }],
      ['EXPIRED', { status: 'declined' }],
      ['FAILED', { status: 'declined' }],
      ['CANCELLED', { status: 'declined' }],
    ] as const
  ).map(([status, outcome]) => ({
    endpoint: 'get-collection',
    source: collection,
    when: `the collection is ${status}`,
    request: { method: 'GET', path: '/collections/{provider_reference}', headers: key },
    reply: { status: 200, body: { ...collected, id: '{provider_reference}', status } },
    outcome,
  })),
  {
    endpoint: 'find-collection',
    source: collection,
    when: 'the reply to the request was lost, and the provider never saw it',
    request: { method: 'GET', path: '/collections/reference/{reference}', headers: key },
    reply: { status: 404, body: { error: 'No such collection.' } },
    outcome: { status: 'unknown' },
  },
];

const token = { access_token: 'token-of-the-docs', token_type: 'bearer', expires_in: 3600 };
const bearer = { authorization: 'Bearer token-of-the-docs' };
const paid = { id: 'pay_1', reference: '{reference}', status: 'waiting', amount: 2500, currency: 'BRL' };
const newPayment = {
  reference: '{reference}',
  amount: 2500,
  currency: 'BRL',
  description: 'Two books',
  payer: { document: '52998224725', name: 'Ada Example' },
  notify_url: '{notify_url}',
  return_url: '{return_url}',
};

export const payerIdGoldens: readonly Golden[] = [
  {
    endpoint: 'authenticate',
    source: payerId,
    when: 'a token is asked for',
    request: {
      method: 'POST',
      path: '/oauth/token',
      body: {
        grant_type: 'client_credentials',
        client_id: '{settings.client_id}',
        client_secret: '{settings.client_secret}',
      },
    },
    reply: { status: 200, body: token },
  },
  {
    endpoint: 'create-payment',
    source: payerId,
    when: 'the code is shown on our page',
    by: { method: 'pix-document' },
    request: { method: 'POST', path: '/payments', headers: bearer, body: { ...newPayment, presentation: 'code' } },
    reply: { status: 201, body: { ...paid, pix_code: code } },
    outcome: { status: 'pending', providerReference: 'pay_1', show: { kind: 'qr', content: code } },
  },
  {
    endpoint: 'create-payment',
    source: payerId,
    when: 'the provider shows the code on a page of its own',
    by: { method: 'pix-personal' },
    request: { method: 'POST', path: '/payments', headers: bearer, body: { ...newPayment, presentation: 'page' } },
    reply: { status: 201, body: { ...paid, payment_url: 'https://pay.example/1' } },
    outcome: {
      status: 'pending',
      providerReference: 'pay_1',
      show: { kind: 'redirect', url: 'https://pay.example/1' },
    },
  },
  ...(
    [
      ['waiting', { status: 'pending' }],
      ['approved', { status: 'settled', amount: '25.00 BRL' }],
      ['expired', { status: 'declined' }],
      ['refused', { status: 'declined' }],
      ['blocked', { status: 'declined' }],
    ] as const
  ).map(([status, outcome]) => ({
    endpoint: 'get-payment',
    source: payerId,
    when: `the payment is ${status}`,
    request: { method: 'GET', path: '/payments/{provider_reference}', headers: bearer },
    reply: { status: 200, body: { ...paid, id: '{provider_reference}', status } },
    outcome,
  })),
  {
    endpoint: 'find-payment',
    source: payerId,
    when: 'the reply to the request was lost, and the provider took it',
    request: { method: 'GET', path: '/payments/reference/{reference}', headers: bearer },
    reply: { status: 200, body: { ...paid, status: 'approved' } },
    outcome: { status: 'settled', providerReference: 'pay_1', amount: '25.00 BRL' },
  },
];
