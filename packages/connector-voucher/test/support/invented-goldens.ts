import type { Golden } from '@railyard/conformance';

/** Written from the README's tables, apart from the connectors. */
const README = 'packages/connector-voucher/README.md, ';

const redemption = { id: 'red_1', reference: '{reference}', status: 'REDEEMED', amount: '25.00', currency: 'USD' };
const redeeming = {
  method: 'POST',
  path: '/redemptions',
  headers: { 'x-api-key': '{settings.api_key}' },
  body: { reference: '{reference}', pin: '1234567890123456', amount: '25.00', currency: 'USD' },
};
const redeemed = { endpoint: 'redeem', source: `${README}Vouchers with a PIN`, request: redeeming };
const refusedWith = (code: string, outcome: NonNullable<Golden['outcome']>): Golden => ({
  ...redeemed,
  when: `the PIN is refused with ${code}`,
  reply: { status: 422, body: { code, message: 'Refused.' } },
  outcome: { provider: { code }, ...outcome },
});

export const pinGoldens: readonly Golden[] = [
  {
    ...redeemed,
    when: 'a voucher is redeemed at once',
    reply: { status: 201, body: redemption },
    outcome: { status: 'settled', providerReference: 'red_1', amount: '25.00 USD' },
  },
  refusedWith('PIN_UNKNOWN', { status: 'declined', kind: 'soft', code: 'wrong_pin' }),
  refusedWith('PIN_USED', { status: 'declined', kind: 'soft', reason: 'The voucher was redeemed before.' }),
  refusedWith('VOUCHER_EXPIRED', { status: 'declined', kind: 'soft', reason: 'The voucher has expired.' }),
  refusedWith('VALUE_TOO_LOW', { status: 'declined', kind: 'soft', code: 'insufficient_funds' }),
  refusedWith('OTHER_CURRENCY', { status: 'declined', kind: 'soft', code: 'not_supported' }),
  refusedWith('ACCOUNT_CLOSED', { status: 'declined', kind: 'hard', code: 'declined_by_provider' }),
  refusedWith('REFERENCE_USED', { status: 'unknown' }),
  ...(
    [
      ['REDEEMED', { status: 'settled', amount: '25.00 USD' }],
      ['PROCESSING', { status: 'pending' }],
      ['FAILED', { status: 'declined', kind: 'soft' }],
    ] as const
  ).map(([status, outcome]): Golden => ({
    endpoint: 'find-redemption',
    source: redeemed.source,
    when: `a redemption that is ${status} is looked up`,
    request: { method: 'GET', path: '/redemptions/{reference}', headers: redeeming.headers },
    reply: { status: 200, body: { ...redemption, id: '{provider_reference}', status } },
    outcome,
  })),
];

const authorised = { authorization: 'token-of-an-hour' };
const reference = {
  reference: '8001',
  merchant_id: '{reference}',
  state: 'OPEN',
  amount: '25.00',
  currency: 'USD',
};
const ofThree = `${README}Provider of three steps`;
const expires_at = '2026-11-24T12:00:00Z';
const referring = {
  endpoint: 'create-reference',
  source: ofThree,
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
  source: ofThree,
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
    source: ofThree,
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
    source: ofThree,
    when: `a reference that is ${state} is looked up`,
    request: { method: 'GET', path: '/references/{provider_reference}', headers: authorised },
    reply: { status: 200, body: { ...reference, reference: '{provider_reference}', state } },
    outcome,
  })),
  {
    endpoint: 'find-reference',
    source: ofThree,
    when: 'the reply that made the reference was lost',
    request: { method: 'GET', path: '/references/by-merchant-id/{reference}', headers: authorised },
    reply: { status: 200, body: reference },
    outcome: { status: 'pending', providerReference: '8001', show: { kind: 'voucher', reference: '8001' } },
  },
];
