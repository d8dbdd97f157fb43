import type { Golden } from '@railyard/conformance';

/** Written from the README, apart from the connector. */
const source = 'packages/connector-open-banking/README.md, Redirect gateway';

const headers = { 'x-merchant-id': 'the-merchant-id', 'x-api-key': '{settings.api_key}' };
const page = 'https://gateway.example/pay/tr_81b2f0';
const transaction = {
  transaction_id: 'tr_81b2f0',
  merchant_reference: '{reference}',
  status: 'NEW',
  amount: '25.00',
  currency: 'EUR',
  redirect_url: page,
};
const form = (names: Readonly<Record<string, string>>) => ({
  merchant_reference: '{reference}',
  amount: '25.00',
  currency: 'EUR',
  description: 'Two books',
  ...names,
  return_url: '{return_url}',
  notify_url: '{notify_url}',
  payment_methods: 'OBT',
});
const opening = (names: Readonly<Record<string, string>>) => ({
  method: 'POST',
  path: '/transactions',
  headers,
  body: form(names),
});
const ada = { firstname: 'Ada', lastname: 'Example', email: 'ada@example.com' };
const lookup = { method: 'GET', path: '/transactions/{provider_reference}', headers };

const WORDS = [
  ['NEW', { status: 'pending' }],
  ['REDIRECTED', { status: 'pending' }],
  ['PROCESSING', { status: 'pending' }],
  ['PAID', { status: 'settled', amount: '25.00 EUR' }],
  ['FAILED', { status: 'declined', kind: 'soft' }],
  ['CANCELLED', { status: 'declined', kind: 'soft' }],
  ['EXPIRED', { status: 'declined', kind: 'soft' }],
  ['BLOCKED', { status: 'declined', kind: 'hard' }],
] as const;

/** Exchanges of the redirect gateway as its documentation shows them. */
export const gatewayGoldens: readonly Golden[] = [
  {
    endpoint: 'open-transaction',
    source,
    when: 'the payer is sent to the gateway, which offers bank transfer alone',
    by: { flow: 'purchase', sample: 'two-names' },
    request: opening(ada),
    reply: { status: 201, body: transaction },
    outcome: { nextAction: { kind: 'visit', url: page, method: 'GET', reference: 'tr_81b2f0' } },
  },
  {
    endpoint: 'open-transaction',
    source,
    when: 'the payer has one name',
    by: { flow: 'purchase', sample: 'one-name' },
    request: opening({ firstname: 'Sokrates', lastname: 'Sokrates', email: 'ada@example.com' }),
    reply: { status: 201, body: transaction },
    outcome: { nextAction: { kind: 'visit', url: page } },
  },
  {
    endpoint: 'open-transaction',
    source,
    when: 'the gateway refuses',
    by: { flow: 'purchase', sample: 'two-names' },
    request: opening(ada),
    reply: { status: 422, body: { error_code: 'CURRENCY_NOT_ENABLED', error_message: 'EUR is not enabled.' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'CURRENCY_NOT_ENABLED' } },
  },
  ...WORDS.map(([status, outcome]): Golden => ({
    endpoint: 'get-transaction',
    source,
    when: `a transaction that is ${status} is looked up`,
    by: { flow: 'status', sample: 'two-names' },
    request: lookup,
    reply: { status: 200, body: { ...transaction, transaction_id: '{provider_reference}', status } },
    outcome,
  })),
  {
    endpoint: 'find-transaction',
    source,
    when: 'the reply to a transaction was lost',
    by: { flow: 'status', sample: 'two-names' },
    request: { method: 'GET', path: '/transactions/by-reference/{reference}', headers },
    reply: { status: 200, body: transaction },
    outcome: { status: 'pending', providerReference: 'tr_81b2f0', show: { kind: 'redirect', url: page } },
  },
];
