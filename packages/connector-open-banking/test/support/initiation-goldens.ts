import type { Golden } from '@railyard/conformance';

/** Written from the README, apart from the connector. */
const source = 'packages/connector-open-banking/README.md, Initiation provider';

const token = { access_token: 'token-1', token_type: 'bearer', expires_in: 3600 };
const headers = { authorization: 'Bearer token-1' };
const page = 'https://bank.example/authorize/pi_4c1e90';
const payment = {
  id: 'pi_4c1e90',
  reference: '{reference}',
  status: 'RCVD',
  amount: '25.00',
  currency: 'GBP',
  authorization_url: page,
};
const body = {
  reference: '{reference}',
  amount: '25.00',
  currency: 'GBP',
  description: 'Two books',
  bank_id: 'bank_north',
  payer: { name: 'Ada Example', email: 'ada@example.com' },
  payee: {
    name: 'Ann Lee',
    country: 'GB',
    identifications: [
      { type: 'SORT_CODE', identification: '040004' },
      { type: 'ACCOUNT_NUMBER', identification: '12345678' },
    ],
  },
  redirect_url: '{return_url}',
  notify_url: '{notify_url}',
};
const post = (path: string, sent: object) => ({
  method: 'POST',
  path,
  headers: { ...headers, 'idempotency-key': '{key}' },
  body: sent,
});
const creating = post('/v1/payments', body);
const visiting = { nextAction: { kind: 'visit', url: page, method: 'GET', reference: 'pi_4c1e90' } };

const created = (
  when: string,
  reply: Golden['reply'],
  outcome: NonNullable<Golden['outcome']>,
  sample = 'sort-code',
  request = creating,
): Golden => ({ endpoint: 'create-payment', source, when, by: { flow: 'purchase', sample }, request, reply, outcome });

const WORDS = [
  ['RCVD', 'pending'],
  ['PDNG', 'pending'],
  ['ACCP', 'pending'],
  ['ACSP', 'pending'],
  ['ACSC', 'settled'],
  ['ACCC', 'settled'],
  ['RJCT', 'declined'],
  ['CANC', 'declined'],
] as const;

/** Exchanges of the initiation provider as its documentation shows them. */
export const initiationGoldens: readonly Golden[] = [
  {
    endpoint: 'authenticate',
    source,
    when: 'a token is asked for',
    request: {
      method: 'POST',
      path: '/v1/token',
      body: 'grant_type=client_credentials&client_id=the-client-id&client_secret=the-client-secret',
    },
    reply: { status: 200, body: token },
  },
  {
    endpoint: 'list-banks',
    source,
    when: 'the payer chooses the bank on the checkout page',
    by: { flow: 'purchase', sample: 'sort-code' },
    request: { method: 'GET', path: '/v1/banks?country=GB&currency=GBP', headers },
    reply: {
      status: 200,
      body: { banks: [{ id: 'bank_north', name: 'North Bank', logo: 'https://bank.example/n.svg' }] },
    },
    outcome: {
      nextAction: {
        kind: 'collect',
        step: 'bank',
        fields: [{ name: 'bank', input: 'select', options: [{ value: 'bank_north', label: 'North Bank' }] }],
      },
    },
  },
  created('the payer is sent to the bank', { status: 201, body: payment }, visiting),
  created(
    'the bank needs nothing of the payer',
    { status: 201, body: { ...payment, status: 'ACSC' } },
    { status: 'settled', providerReference: 'pi_4c1e90', amount: '25.00 GBP' },
  ),
  created(
    'the account is named by an IBAN',
    { status: 201, body: { ...payment, currency: 'EUR' } },
    visiting,
    'iban',
    post('/v1/payments', {
      ...body,
      currency: 'EUR',
      payee: {
        name: 'Ann Lee',
        country: 'DE',
        identifications: [
          { type: 'IBAN', identification: 'DE89370400440532013000' },
          { type: 'BIC', identification: 'COBADEFF' },
        ],
      },
    }),
  ),
  created(
    'the account of the payee is wrong',
    { status: 422, body: { code: 'AC01', message: 'Account 12345678 is not known.' } },
    {
      status: 'declined',
      kind: 'hard',
      reason: 'The account number of the payee is not correct.',
      provider: { code: 'AC01' },
    },
  ),
  created(
    'the provider has a reason of its own',
    { status: 400, body: { code: 'merchant_suspended', message: 'Ask us.' } },
    { status: 'declined', kind: 'hard', reason: 'The provider refused the payment.' },
  ),
  ...WORDS.map(([status, expected]): Golden => ({
    endpoint: 'get-payment',
    source,
    when: `a payment that is ${status} is looked up`,
    by: { flow: 'status', sample: 'sort-code' },
    request: { method: 'GET', path: '/v1/payments/{provider_reference}', headers },
    reply: { status: 200, body: { ...payment, id: '{provider_reference}', status } },
    outcome: { status: expected },
  })),
  {
    endpoint: 'get-payment',
    source,
    when: 'there was not enough money',
    by: { flow: 'status', sample: 'sort-code' },
    request: { method: 'GET', path: '/v1/payments/{provider_reference}', headers },
    reply: {
      status: 200,
      body: { ...payment, id: '{provider_reference}', status: 'RJCT', status_reason: 'AM04' },
    },
    outcome: {
      status: 'declined',
      kind: 'soft',
      reason: 'There is not enough money in the account.',
      provider: { status: 'RJCT', code: 'AM04' },
    },
  },
  {
    endpoint: 'find-payment',
    source,
    when: 'the reply to a payment was lost',
    by: { flow: 'status', sample: 'sort-code' },
    request: { method: 'GET', path: '/v1/payments/reference/{reference}', headers },
    reply: { status: 200, body: payment },
    outcome: {
      status: 'pending',
      providerReference: 'pi_4c1e90',
      show: { kind: 'redirect', url: page, surface: 'page' },
    },
  },
];
