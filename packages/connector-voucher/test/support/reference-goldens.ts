import type { Golden } from '@railyard/conformance';

/** Written from the README's tables, apart from the connector. */
const source = 'packages/connector-voucher/README.md, Provider of three steps';
const authorised = { authorization: 'token-of-an-hour' };
const reference = {
  reference: '8001',
  merchant_id: '{reference}',
  state: 'OPEN',
  amount: '25.00',
  currency: 'USD',
};
const expires_at = '2026-11-24T12:00:00Z';
const referring = {
  endpoint: 'create-reference',
  source,
  request: {
    method: 'POST',
    path: '/references',
    headers: authorised,
    // As bytes, because the digits of the amount count.
    body: '{"amount":25.00,"currency":"USD","merchant_id":"{reference}","type":true}',
  },
};
const paying = {
  endpoint: 'create-payment',
  source,
  request: {
    method: 'POST',
    path: '/references/8001/payment',
    headers: { ...authorised, 'idempotency-key': '{key}' },
    body: { gateway_id: '{settings.gateway_id}' },
  },
};

export const referenceGoldens: readonly Golden[] = [
  {
    endpoint: 'authre',
    source,
    when: 'a token is asked for',
    request: { method: 'POST', path: '/authre', body: { private_key: '{settings.private_key}' } },
    reply: { status: 200, body: { authorization: 'token-of-an-hour', expires_in: 3600 } },
  },
  { ...referring, when: 'a reference is made', reply: { status: 201, body: reference } },
  {
    ...referring,
    when: 'the amount is refused',
    reply: { status: 422, body: { code: 'AMOUNT_TOO_HIGH', message: 'Too high.' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'AMOUNT_TOO_HIGH' } },
  },
  {
    ...referring,
    when: 'our id was used before',
    reply: { status: 409, body: { code: 'MERCHANT_ID_USED', message: 'Used before.' } },
    outcome: { status: 'unknown' },
  },
  {
    ...paying,
    when: 'the payer is shown the number',
    reply: { status: 201, body: { ...reference, expires_at } },
    outcome: {
      status: 'pending',
      providerReference: '8001',
      payableUntil: '2026-11-24T12:00:00.000Z',
      show: { kind: 'voucher', reference: '8001', validUntil: '2026-11-24T12:00:00.000Z' },
    },
  },
  ...(
    [
      ['OPEN', { status: 'pending' }],
      ['PAID', { status: 'settled', amount: '25.00 USD' }],
      ['EXPIRED', { status: 'declined', kind: 'soft' }],
      ['CANCELLED', { status: 'declined', kind: 'hard' }],
    ] as const
  ).map(([state, outcome]): Golden => ({
    endpoint: 'get-reference',
    source,
    when: `a reference that is ${state} is looked up`,
    request: { method: 'GET', path: '/references/{provider_reference}', headers: authorised },
    reply: { status: 200, body: { ...reference, reference: '{provider_reference}', state } },
    outcome,
  })),
  {
    endpoint: 'find-reference',
    source,
    when: 'the reply that made the reference was lost',
    request: { method: 'GET', path: '/references/by-merchant-id/{reference}', headers: authorised },
    reply: { status: 200, body: reference },
    outcome: { status: 'pending', providerReference: '8001', show: { kind: 'voucher', reference: '8001' } },
  },
];
