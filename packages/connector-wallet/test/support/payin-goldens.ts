import type { Golden } from '@railyard/conformance';

/** Written from the README's tables, apart from the connector. */
const source = 'packages/connector-wallet/README.md, Wallet with a challenge';
const headers = { authorization: '{settings.terminal_key}' };
const body = {
  transaction_id: 'tx_1',
  merchant_reference: '{reference}',
  state: 'created',
  amount: '25.00',
  currency: 'EUR',
  checkout_url: 'https://wallet.example/tx_1',
};
const challenge = {
  endpoint: 'create-challenge',
  source,
  when: 'a challenge is asked for',
  request: {
    method: 'POST',
    path: '/challenges',
    headers,
    body: { merchant_reference: '{reference}', amount: '25.00', currency: 'EUR' },
  },
  reply: { status: 200, body: { challenge_id: 'ch_1' } },
};
const creating = {
  endpoint: 'create-transaction',
  source,
  request: {
    method: 'POST',
    path: '/transactions',
    headers: { ...headers, 'request-key': '{key}' },
    body: {
      challenge_id: 'ch_1',
      merchant_reference: '{reference}',
      amount: '25.00',
      currency: 'EUR',
      description: 'Two books',
      customer: { first_name: 'Ana Marija', last_name: 'Horvat', email: 'ana@example.com' },
      billing: { phone: '+385911234567', country: 'HR', address: 'Ilica 1', city: 'Zagreb', zip: '10000' },
      return_url: '{return_url}',
      notify_url: '{notify_url}',
    },
  },
};
const STATES = [
  ['created', { status: 'pending' }],
  ['accepted', { status: 'settled', amount: '25.00 EUR' }],
  ['rejected', { status: 'declined', kind: 'soft' }],
  ['canceled', { status: 'declined', kind: 'soft', code: 'cancelled_by_payer' }],
  ['expired', { status: 'declined', kind: 'soft', code: 'expired' }],
] as const;

export const payinGoldens: readonly Golden[] = [
  challenge,
  {
    ...creating,
    when: 'the payer is sent to the wallet',
    reply: { status: 201, body },
    outcome: {
      status: 'pending',
      providerReference: 'tx_1',
      show: { kind: 'redirect', url: 'https://wallet.example/tx_1', surface: 'page' },
    },
  },
  {
    ...creating,
    when: 'the wallet is not offered there',
    reply: { status: 422, body: { code: 'country_not_served' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'country_not_served' } },
  },
  {
    ...creating,
    when: 'the challenge is too old',
    reply: { status: 422, body: { code: 'challenge_not_valid' } },
    outcome: { status: 'declined', kind: 'soft', code: 'timed_out' },
  },
  ...STATES.map(([state, outcome]): Golden => ({
    endpoint: 'get-transaction',
    source,
    when: `a transaction that is ${state} is looked up`,
    request: { method: 'GET', path: '/transactions/{provider_reference}', headers },
    reply: { status: 200, body: { ...body, transaction_id: '{provider_reference}', state } },
    outcome,
  })),
  {
    endpoint: 'find-transaction',
    source,
    when: 'the provider never saw the request',
    request: { method: 'GET', path: '/transactions/by-reference/{reference}', headers },
    reply: { status: 404, body: { code: 'not_found' } },
    outcome: { status: 'unknown', provider: { code: 'not_found' } },
  },
];
