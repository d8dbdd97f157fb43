import type { Golden } from '@railyard/conformance';

/** Written from the README's tables, apart from the connector. */
const source = 'packages/connector-voucher/README.md, Provider of tickets';
const headers = { 'x-api-key': '{settings.api_key}' };
const ticket = {
  ticket_id: 'tk_1',
  reference: '{reference}',
  state: 'ISSUED',
  amount: '25.00',
  currency: 'USD',
  number: '3381 0467',
  bar_code: '33810467000025',
  pay_before: '2026-11-24T09:00:00-03:00',
};
const shown = {
  kind: 'voucher',
  reference: '3381 0467',
  barcode: { symbology: 'itf', text: '33810467000025' },
  validUntil: '2026-11-24T12:00:00.000Z',
} as const;
const making = {
  endpoint: 'create-ticket',
  source,
  request: {
    method: 'POST',
    path: '/tickets',
    headers,
    body: {
      reference: '{reference}',
      document_number: '1020304050',
      amount: '25.00',
      currency: 'USD',
      description: 'Two books',
      report_to: '{notify_url}',
    },
  },
};

export const ticketGoldens: readonly Golden[] = [
  {
    ...making,
    when: 'a ticket is made',
    reply: { status: 201, body: ticket },
    outcome: {
      status: 'pending',
      providerReference: 'tk_1',
      payableUntil: '2026-11-24T12:00:00.000Z',
      show: shown,
    },
  },
  {
    ...making,
    when: 'the document is not known',
    reply: { status: 422, body: { code: 'DOCUMENT_NOT_VALID', message: 'There is no such document.' } },
    outcome: { status: 'declined', kind: 'soft', code: 'document_not_accepted' },
  },
  {
    ...making,
    when: 'the shop is closed at the provider',
    reply: { status: 422, body: { code: 'SHOP_CLOSED' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'SHOP_CLOSED' } },
  },
  {
    ...making,
    when: 'our reference was used before',
    reply: { status: 409, body: { code: 'REFERENCE_USED' } },
    outcome: { status: 'unknown' },
  },
  ...(
    [
      ['ISSUED', { status: 'pending' }],
      ['PAID', { status: 'settled', amount: '25.00 USD' }],
      ['EXPIRED', { status: 'declined', kind: 'soft' }],
      ['CANCELLED', { status: 'declined', kind: 'hard' }],
    ] as const
  ).map(([state, outcome]): Golden => ({
    endpoint: 'get-ticket',
    source,
    when: `a ticket that is ${state} is looked up`,
    request: { method: 'GET', path: '/tickets/{provider_reference}', headers },
    reply: { status: 200, body: { ...ticket, ticket_id: '{provider_reference}', state } },
    outcome,
  })),
  {
    endpoint: 'find-ticket',
    source,
    when: 'the reply that made the ticket was lost',
    request: { method: 'GET', path: '/tickets/by-reference/{reference}', headers },
    reply: { status: 200, body: ticket },
    outcome: { status: 'pending', providerReference: 'tk_1', show: shown },
  },
];
