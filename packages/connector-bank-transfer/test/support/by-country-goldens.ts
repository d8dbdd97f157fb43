import type { Golden } from '@railyard/conformance';

/** Written from the README's tables, apart from the connector. */
const source = 'packages/connector-bank-transfer/README.md, Provider of transfers by country';
const headers = { 'x-api-key': '{settings.api_key}' };
const opened = { order: 'or-1', ours: '{reference}', state: 'waiting', amount: '25.00', currency: 'COP' };
const page = 'https://bank.example/or-1';
const opening = {
  method: 'POST',
  path: '/orders',
  headers: { ...headers, 'idempotency-key': '{key}' },
  body: {
    ours: '{reference}',
    country: 'CO',
    amount: '25.00',
    currency: 'COP',
    description: 'Two books',
    payer: { bank: 'B-02', person_type: 'individual', document_type: 'CC', document_number: '1020304050' },
    back_to: '{return_url}',
    report_to: '{notify_url}',
  },
};
const by = { method: 'bank-redirect', flow: 'purchase', sample: 'Colombia' } as const;
const asked = { ...by, sample: 'asked' };
const status = { method: 'bank-redirect', flow: 'status', sample: 'Colombia' } as const;
const STATES = [
  ['waiting', { status: 'pending' }],
  ['received', { status: 'pending' }],
  ['paid', { status: 'settled', amount: '25.00 COP' }],
  ['denied', { status: 'declined', kind: 'soft' }],
  ['lapsed', { status: 'declined', kind: 'soft' }],
] as const;

export const byCountryGoldens: readonly Golden[] = [
  {
    endpoint: 'list-banks',
    source,
    when: 'the payer chooses the bank',
    by: asked,
    request: { method: 'GET', path: '/banks/CL', headers },
    reply: { status: 200, body: { banks: [{ code: 'B-01', name: 'Banco Uno' }] } },
  },
  {
    endpoint: 'list-banks',
    source,
    when: 'no bank of the country takes payments',
    by: asked,
    request: { method: 'GET', path: '/banks/CL', headers },
    reply: { status: 200, body: { banks: [] } },
    outcome: { status: 'declined', kind: 'soft', code: 'provider_unavailable' },
  },
  {
    endpoint: 'open-order',
    source,
    when: 'the payer goes to the bank',
    by,
    request: opening,
    reply: { status: 201, body: { ...opened, page } },
    outcome: {
      status: 'pending',
      providerReference: 'or-1',
      show: { kind: 'redirect', url: page, surface: 'page' },
    },
  },
  {
    endpoint: 'open-order',
    source,
    when: 'the payer transfers to an account in Mexico',
    by: { ...by, sample: 'Mexico' },
    request: {
      ...opening,
      body: {
        ...opening.body,
        country: 'MX',
        currency: 'MXN',
        payer: { document_type: 'CURP', document_number: 'BOXW310820HNERXN09' },
      },
    },
    reply: {
      status: 201,
      body: {
        ...opened,
        currency: 'MXN',
        pay_to: { bank: 'Banco Uno', holder: 'Shop', number: '032180000118359719', reference: '7' },
      },
    },
    outcome: {
      status: 'pending',
      show: {
        kind: 'payment-details',
        beneficiary: 'Shop',
        details: [
          { label: { en: 'Bank', pt: 'Banco' }, value: 'Banco Uno', copy: true },
          { label: { en: 'Account', pt: 'Conta' }, value: '032180000118359719', copy: true },
          { label: { en: 'Reference', pt: 'Referência' }, value: '7', copy: true },
        ],
      },
    },
  },
  {
    endpoint: 'open-order',
    source,
    when: 'the bank takes no payments',
    by,
    request: opening,
    reply: { status: 422, body: { code: 'bank_closed' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'bank_closed' } },
  },
  {
    endpoint: 'open-order',
    source,
    when: 'the document is not accepted',
    by,
    request: opening,
    reply: { status: 422, body: { code: 'document_refused' } },
    outcome: { status: 'declined', kind: 'soft', code: 'document_not_accepted' },
  },
  ...STATES.map(([state, outcome]): Golden => ({
    endpoint: 'get-order',
    source,
    when: `the order is ${state}`,
    by: status,
    request: { method: 'GET', path: '/orders/{provider_reference}', headers },
    reply: { status: 200, body: { ...opened, order: '{provider_reference}', state } },
    outcome,
  })),
  {
    endpoint: 'find-order',
    source,
    when: 'the provider never saw the request',
    by: status,
    request: { method: 'GET', path: '/orders/ours/{reference}', headers },
    reply: { status: 404, body: { code: 'order_not_known' } },
    outcome: { status: 'unknown', provider: { code: 'order_not_known' } },
  },
];
