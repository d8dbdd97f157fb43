import type { Golden } from '@railyard/conformance';

/** Written from the README's tables, apart from the connector. */
const source = 'packages/connector-voucher/README.md, Gateway of vouchers';
const headers = { 'x-api-key': '{settings.api_key}', 'x-api-secret': '{settings.api_secret}' };
const voucher = { voucher_id: 'vch_1', reference: '{reference}', state: 'open', amount: '25.00', currency: 'USD' };
const page = 'https://voucher.example/pay/vch_1';
const ticket = { number: '3381 0467', bar_code: '33810467000025', pay_before: '2026-11-24T09:00:00-03:00' };
const ticketShown = {
  kind: 'voucher',
  reference: '3381 0467',
  barcode: { symbology: 'itf', text: '33810467000025' },
  validUntil: '2026-11-24T12:00:00.000Z',
} as const;

const creating = (way: string, more: Readonly<Record<string, string>> = {}) => ({
  endpoint: 'create-voucher',
  by: { method: way, flow: 'purchase' } as const,
  source,
  request: {
    method: 'POST',
    path: '/vouchers',
    headers,
    body: {
      way,
      ...more,
      reference: '{reference}',
      amount: '25.00',
      currency: 'USD',
      description: 'Two books',
      return_url: '{return_url}',
      notify_url: '{notify_url}',
    },
  },
});
const byPage = creating('voucher-redirect');
const byTicket = creating('cash-ticket', { document_number: '1020304050' });
const lost = {
  endpoint: 'find-voucher',
  source,
  request: { method: 'GET', path: '/vouchers/by-reference/{reference}', headers },
};

export const gatewayGoldens: readonly Golden[] = [
  {
    ...byPage,
    when: 'the payer is sent to the provider’s page',
    reply: { status: 201, body: { ...voucher, page } },
    outcome: {
      status: 'pending',
      providerReference: 'vch_1',
      show: { kind: 'redirect', url: page, surface: 'page' },
    },
  },
  {
    ...byPage,
    when: 'the request is refused',
    reply: { status: 422, body: { code: 'currency_not_enabled', message: 'The currency is not enabled.' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'currency_not_enabled' } },
  },
  {
    ...byTicket,
    when: 'a ticket is made',
    reply: { status: 201, body: { ...voucher, ticket } },
    outcome: {
      status: 'pending',
      providerReference: 'vch_1',
      payableUntil: '2026-11-24T12:00:00.000Z',
      show: ticketShown,
    },
  },
  {
    ...byTicket,
    when: 'the document is not known',
    reply: { status: 422, body: { code: 'document_not_valid', message: 'There is no such document.' } },
    outcome: { status: 'declined', kind: 'soft', code: 'document_not_accepted' },
  },
  {
    ...byTicket,
    when: 'our reference was used before',
    reply: { status: 409, body: { code: 'reference_used' } },
    outcome: { status: 'unknown' },
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
    source,
    when: `a voucher that is ${state} is looked up`,
    request: { method: 'GET', path: '/vouchers/{provider_reference}', headers },
    reply: { status: 200, body: { ...voucher, page, voucher_id: '{provider_reference}', state } },
    outcome,
  })),
  {
    ...lost,
    by: { method: 'voucher-redirect', flow: 'status' },
    when: 'the reply that made the voucher was lost',
    reply: { status: 200, body: { ...voucher, page } },
    outcome: { status: 'pending', providerReference: 'vch_1', show: { kind: 'redirect', url: page } },
  },
  {
    ...lost,
    by: { method: 'cash-ticket', flow: 'status' },
    when: 'the reply that made the ticket was lost',
    reply: { status: 200, body: { ...voucher, ticket } },
    outcome: { status: 'pending', providerReference: 'vch_1', show: ticketShown },
  },
];
