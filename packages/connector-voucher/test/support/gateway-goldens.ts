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
const byPin = creating('pin-voucher', { pin: '1234567890123456' });
const pinRefused = (code: string, outcome: NonNullable<Golden['outcome']>): Golden => ({
  ...byPin,
  when: `the PIN is refused with ${code}`,
  reply: { status: 422, body: { code, message: 'Refused.' } },
  outcome: { provider: { code }, ...outcome },
});
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
  {
    ...byPin,
    when: 'a voucher is redeemed at once',
    reply: { status: 201, body: { ...voucher, state: 'paid' } },
    outcome: { status: 'settled', providerReference: 'vch_1', amount: '25.00 USD' },
  },
  pinRefused('pin_unknown', { status: 'declined', kind: 'soft', code: 'wrong_pin' }),
  pinRefused('pin_used', { status: 'declined', kind: 'soft', reason: 'The voucher was redeemed before.' }),
  pinRefused('voucher_expired', { status: 'declined', kind: 'soft', reason: 'The voucher has expired.' }),
  pinRefused('value_too_low', { status: 'declined', kind: 'soft', code: 'insufficient_funds' }),
  pinRefused('other_currency', { status: 'declined', kind: 'soft', code: 'not_supported' }),
  pinRefused('account_closed', { status: 'declined', kind: 'hard', code: 'declined_by_provider' }),
  ...(
    [
      ['open', { status: 'pending' }],
      ['paid', { status: 'settled', amount: '25.00 USD' }],
      ['expired', { status: 'declined', kind: 'soft' }],
      ['cancelled', { status: 'declined', kind: 'soft' }],
      ['failed', { status: 'declined', kind: 'soft', code: 'not_completed' }],
      ['blocked', { status: 'declined', kind: 'hard' }],
    ] as const
  ).map(([state, outcome]): Golden => ({
    endpoint: 'get-voucher',
    source,
    by: { method: 'pin-voucher', flow: 'status' },
    when: `a voucher that is ${state} is looked up`,
    request: { method: 'GET', path: '/vouchers/{provider_reference}', headers },
    reply: { status: 200, body: { ...voucher, voucher_id: '{provider_reference}', state } },
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
  {
    ...lost,
    by: { method: 'pin-voucher', flow: 'status' },
    when: 'the gateway never saw the PIN',
    reply: { status: 404, body: { code: 'not_found' } },
    outcome: { status: 'unknown', provider: { code: 'not_found' } },
  },
];
