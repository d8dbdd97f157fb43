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

const both = { 'x-api-key': '{settings.api_key}', 'x-api-secret': '{settings.api_secret}' };
const voucher = {
  voucher_id: 'vch_1',
  merchant_reference: '{reference}',
  state: 'open',
  amount: '25.00',
  currency: 'USD',
  page: 'https://voucher.example/pay/vch_1',
};
const creating = {
  endpoint: 'create-voucher',
  source: `${README}Provider with two headers`,
  request: {
    method: 'POST',
    path: '/vouchers',
    headers: both,
    body: {
      merchant_reference: '{reference}',
      amount: '25.00',
      currency: 'USD',
      description: 'Two books',
      return_url: '{return_url}',
      notify_url: '{notify_url}',
    },
  },
};

export const redirectGoldens: readonly Golden[] = [
  {
    ...creating,
    when: 'the payer is sent to the provider’s page',
    reply: { status: 201, body: voucher },
    outcome: {
      status: 'pending',
      providerReference: 'vch_1',
      show: { kind: 'redirect', url: 'https://voucher.example/pay/vch_1', surface: 'page' },
    },
  },
  {
    ...creating,
    when: 'the request is refused',
    reply: { status: 422, body: { code: 'currency_not_enabled', message: 'The currency is not enabled.' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'currency_not_enabled' } },
  },
  ...(
    [
      ['open', { status: 'pending' }],
      ['paid', { status: 'settled', amount: '25.00 USD' }],
      ['expired', { status: 'declined', kind: 'soft' }],
      ['cancelled', { status: 'declined', kind: 'soft' }],
      ['blocked', { status: 'declined', kind: 'hard' }],
    ] as const
  ).map(([state, outcome]): Golden => ({
    endpoint: 'get-voucher',
    source: creating.source,
    when: `a voucher that is ${state} is looked up`,
    request: { method: 'GET', path: '/vouchers/{provider_reference}', headers: both },
    reply: { status: 200, body: { ...voucher, voucher_id: '{provider_reference}', state } },
    outcome,
  })),
  {
    endpoint: 'find-voucher',
    source: creating.source,
    when: 'the reply that made the voucher was lost',
    request: { method: 'GET', path: '/vouchers/by-reference/{reference}', headers: both },
    reply: { status: 200, body: voucher },
    outcome: { status: 'pending', providerReference: 'vch_1', show: { kind: 'redirect', url: voucher.page } },
  },
];
