import type { Golden } from '@railyard/conformance';

/** Written from the README's tables, apart from the connector. */
const source = 'packages/connector-bank-transfer/README.md, Payouts to accounts';
const headers = { 'x-api-key': '{settings.api_key}' };
const body = { payout_id: 'po_1', reference: '{reference}', state: 'ACCEPTED', amount: '25.00', currency: 'PEN' };
const carried = {
  reference: '{reference}',
  amount: '25.00',
  description: 'Two books',
  report_to: '{notify_url}',
};
const request = {
  method: 'POST',
  path: '/payouts',
  headers,
  body: {
    ...carried,
    way: 'disbursement',
    country: 'PE',
    currency: 'PEN',
    account: {
      paymentMethod: 'BCP',
      cashAccount: '1234567890',
      cashAccountType: 'AHORROS',
      cci: '01136600010003254221',
      name: 'Rosa Quispe',
      email: 'rosa@example.com',
      phone: '+51987654321',
      idType: 'DNI',
      identity: '10117410',
    },
  },
};
const by = { method: 'disbursement', flow: 'credit', sample: 'PE' } as const;
const looked = { method: 'disbursement', flow: 'status', sample: 'PE' } as const;
const STATES = [
  ['ACCEPTED', { status: 'pending' }],
  ['SENT', { status: 'pending' }],
  ['PAID', { status: 'settled', amount: '25.00 PEN' }],
  ['REJECTED', { status: 'declined', kind: 'hard' }],
  ['RETURNED', { status: 'declined', kind: 'hard' }],
  ['CANCELLED', { status: 'declined', kind: 'hard' }],
] as const;

export const payoutGoldens: readonly Golden[] = [
  {
    endpoint: 'create-payout',
    source,
    when: 'money is sent to an account in Peru',
    by,
    request,
    reply: { status: 201, body },
    outcome: { status: 'pending', providerReference: 'po_1' },
  },
  {
    endpoint: 'create-payout',
    source,
    when: 'money is sent to an account that is described',
    by: { method: 'bank-withdrawal', flow: 'credit' },
    request: {
      ...request,
      body: {
        ...carried,
        way: 'bank-withdrawal',
        currency: 'CNY',
        account: { ToAccountNumber: '1234567890', ToAccountName: 'Li Na' },
      },
    },
    reply: { status: 201, body: { ...body, currency: 'CNY' } },
    outcome: { status: 'pending', providerReference: 'po_1' },
  },
  {
    endpoint: 'create-payout',
    source,
    when: 'the account is not known',
    by,
    request,
    reply: { status: 422, body: { code: 'ACCOUNT_NOT_VALID', message: 'There is no such account.' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'ACCOUNT_NOT_VALID' } },
  },
  {
    endpoint: 'create-payout',
    source,
    when: 'the merchant’s balance is too low',
    by,
    request,
    reply: { status: 402, body: { code: 'BALANCE_TOO_LOW' } },
    outcome: { status: 'declined', kind: 'soft', provider: { code: 'BALANCE_TOO_LOW' } },
  },
  {
    endpoint: 'create-payout',
    source,
    when: 'the reference was used before',
    by,
    request,
    reply: { status: 409, body: { code: 'REFERENCE_USED' } },
    outcome: { status: 'unknown', provider: { code: 'REFERENCE_USED' } },
  },
  ...STATES.map(([state, outcome]): Golden => ({
    endpoint: 'get-payout',
    source,
    when: `the payout is ${state}`,
    by: looked,
    request: { method: 'GET', path: '/payouts/{provider_reference}', headers },
    reply: { status: 200, body: { ...body, payout_id: '{provider_reference}', state } },
    outcome,
  })),
  {
    endpoint: 'find-payout',
    source,
    when: 'the provider never saw the request',
    by: looked,
    request: { method: 'GET', path: '/payouts/by-reference/{reference}', headers },
    reply: { status: 404, body: { code: 'NOT_FOUND' } },
    outcome: { status: 'unknown', provider: { code: 'NOT_FOUND' } },
  },
];
