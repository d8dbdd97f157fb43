import type { Golden } from '@railyard/conformance';

/** Written from the README's tables, apart from the connector. */
const source = 'packages/connector-bank-transfer/README.md, Bank of IPS codes';
const headers = { 'x-api-key': '{settings.api_key}' };
const keyed = { ...headers, 'idempotency-key': '{key}' };
const body = {
  code_id: 'ips-1',
  order_ref: '{reference}',
  status: 'PENDING',
  amount: '25.00',
  currency: 'RSD',
  qr_text: 'K:EK|V:01|C:1|R:840000000095584510|N:Shop|I:RSD25,00|SF:289',
  expires_at: '2026-11-21T13:01:00+01:00',
};
const creating = {
  method: 'POST',
  path: '/codes',
  headers: keyed,
  body: {
    order_ref: '{reference}',
    order_number: 'order-1',
    amount: '25.00',
    currency: 'RSD',
    description: 'Two books',
    report_to: '{notify_url}',
    valid_seconds: 60,
  },
};
const by = { method: 'ips-qr', flow: 'purchase', sample: 'Serbia' } as const;
const looked = { method: 'ips-qr', flow: 'status', sample: 'Serbia' } as const;
const show = { kind: 'qr', content: body.qr_text, copy: false, validUntil: '2026-11-21T10:01:00.000Z' };
const STATUSES = [
  ['PENDING', { status: 'pending' }],
  ['EXECUTED', { status: 'settled', amount: '25.00 RSD' }],
  ['REJECTED', { status: 'declined', kind: 'soft' }],
] as const;

export const ipsGoldens: readonly Golden[] = [
  {
    endpoint: 'create-code',
    source,
    when: 'the payer scans the code',
    by,
    request: creating,
    reply: { status: 201, body },
    outcome: { status: 'pending', providerReference: 'ips-1', show },
  },
  {
    endpoint: 'create-code',
    source,
    when: 'the code asks for another amount',
    by,
    request: creating,
    reply: { status: 201, body: { ...body, qr_text: body.qr_text.replace('25,00', '2500,00') } },
    outcome: {
      status: 'declined',
      kind: 'soft',
      code: 'provider_error',
      provider: { message: 'IPS code refused: it asks for another amount' },
    },
  },
  {
    endpoint: 'create-code',
    source,
    when: 'the code is none of an instant payment',
    by,
    request: creating,
    reply: { status: 201, body: { ...body, qr_text: 'https://bank.example/pay' } },
    outcome: { status: 'declined', provider: { message: 'IPS code refused: structure at https' } },
  },
  {
    endpoint: 'create-code',
    source,
    when: 'the merchant may not be paid',
    by,
    request: creating,
    reply: { status: 422, body: { code: 'MERCHANT_BLOCKED' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'MERCHANT_BLOCKED' } },
  },
  {
    endpoint: 'renew-code',
    source,
    when: 'the minute of the code is over',
    by: { ...by, flow: 'renew' },
    request: { method: 'POST', path: '/codes/{provider_reference}/renew', headers: keyed },
    reply: { status: 201, body: { ...body, code_id: 'ips-2' } },
    outcome: { status: 'pending', providerReference: 'ips-2', show },
  },
  ...STATUSES.map(([status, outcome]): Golden => ({
    endpoint: 'get-code',
    source,
    when: `the code is ${status}`,
    by: looked,
    request: { method: 'GET', path: '/codes/{provider_reference}', headers },
    reply: { status: 200, body: { ...body, code_id: '{provider_reference}', status } },
    outcome,
  })),
  {
    endpoint: 'find-code',
    source,
    when: 'the bank never saw the request',
    by: looked,
    request: { method: 'GET', path: '/codes/by-order/{reference}', headers },
    reply: { status: 404, body: { code: 'NO_CODE' } },
    outcome: { status: 'unknown', provider: { code: 'NO_CODE' } },
  },
];
