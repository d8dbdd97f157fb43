import type { Golden } from '@railyard/conformance';

/** Written from the README, apart from the connector. */
const source = 'packages/connector-pay-later/README.md, Hosted provider';

const headers = { 'x-shop': 'shop-1', authorization: 'Bearer {settings.api_key}' };
const keyed = { ...headers, 'x-request-id': '{key}' };
const page = 'https://later.example/checkout/po_3f7a21';
const order = (state: string, more: object = {}) => ({
  order_id: 'po_3f7a21',
  merchant_order: '{reference}',
  state,
  amount: '25.00',
  currency: 'IDR',
  checkout_url: page,
  ...more,
});
const creating = (product: string, details: object) => ({
  method: 'POST',
  path: '/v1/orders',
  headers: keyed,
  body: {
    merchant_order: '{reference}',
    amount: '25.00',
    currency: 'IDR',
    description: 'Two books',
    product,
    details,
    buyer: { name: 'Siti Rahma', email: 'siti@example.com' },
    return_url: '{return_url}',
    notification_url: '{notify_url}',
  },
});
const toPage = { nextAction: { kind: 'visit', url: page, method: 'GET', reference: 'po_3f7a21' } } as const;

const METHODS = [
  ['hosted-payment-id', 'any', { product_name: 'Two books', product_quantity: 2 }],
  ['hosted-payment-id', 'sub-provider', { sub_provider: 'S4', product_name: 'Two books', product_quantity: 2 }],
  [
    'pay-later',
    undefined,
    { category: 'Books', buyer_registered_since: '2020-01-31T12:00:00Z', buyer_loyalty_level: 12 },
  ],
  [
    'pay-later-basket',
    undefined,
    {
      product_amount: '8.50',
      shipping_amount: '1.00',
      tax_amount: '0.50',
      product_reference_id: 'ref-1',
      product_type: 'physical',
      product_sku: 'BK-2',
    },
  ],
] as const;

const STATES = [
  ['OPEN', { status: 'pending' }],
  ['IN_REVIEW', { status: 'pending' }],
  ['APPROVED', { status: 'settled', amount: '25.00 IDR' }],
  ['REJECTED', { status: 'declined', kind: 'soft', code: 'declined_by_provider' }],
  ['ABANDONED', { status: 'declined', kind: 'soft', code: 'cancelled_by_payer' }],
  ['EXPIRED', { status: 'declined', kind: 'soft', code: 'timed_out' }],
] as const;

const REASONS = [
  ['insufficient_credit', { status: 'declined', kind: 'soft', code: 'insufficient_funds' }],
  ['buyer_blocked', { status: 'declined', kind: 'hard', code: 'account_restricted' }],
] as const;

const refund = (state: string) => ({
  refund_id: 're_90c4d2',
  merchant_refund: '{modification}',
  state,
  amount: '25.00',
  currency: 'IDR',
});
const lookup = { method: 'GET', path: '/v1/orders/{reference}', headers };
const known = (more: object) => ({ ...order('OPEN', more), order_id: '{provider_reference}' });

/** Exchanges of the hosted provider as its description shows them. */
export const hostedGoldens: readonly Golden[] = [
  ...METHODS.map(([method, sample, details]): Golden => ({
    endpoint: 'create-order',
    source,
    when: `the payer is sent to the page (${sample ?? method})`,
    by: { method, flow: 'purchase', ...(sample && { sample }) },
    request: creating(method, details),
    reply: { status: 201, body: order('OPEN') },
    outcome: toPage,
  })),
  {
    endpoint: 'create-order',
    source,
    when: 'the buyer gets no credit at once',
    by: { method: 'hosted-payment-id', flow: 'purchase', sample: 'any' },
    request: creating('hosted-payment-id', METHODS[0][2]),
    reply: { status: 201, body: order('REJECTED') },
    outcome: { status: 'declined', kind: 'soft' },
  },
  {
    endpoint: 'create-order',
    source,
    when: 'the provider refuses',
    by: { method: 'hosted-payment-id', flow: 'purchase', sample: 'any' },
    request: creating('hosted-payment-id', METHODS[0][2]),
    reply: { status: 422, body: { code: 'currency_not_enabled', message: 'IDR is not enabled.' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'currency_not_enabled' } },
  },
  ...STATES.map(([state, outcome]): Golden => ({
    endpoint: 'get-order',
    source,
    when: `an order that is ${state} is looked up`,
    by: { flow: 'status' },
    request: lookup,
    reply: { status: 200, body: known({ state }) },
    outcome,
  })),
  ...REASONS.map(([state_reason, outcome]): Golden => ({
    endpoint: 'get-order',
    source,
    when: `an order that was rejected says ${state_reason}`,
    by: { flow: 'status' },
    request: lookup,
    reply: { status: 200, body: known({ state: 'REJECTED', state_reason }) },
    outcome,
  })),
  {
    endpoint: 'get-order',
    source,
    when: 'there is no such order',
    by: { flow: 'status' },
    request: lookup,
    reply: { status: 404, body: { code: 'unknown' } },
    outcome: { status: 'unknown', provider: { code: 'unknown' } },
  },
  {
    endpoint: 'create-refund',
    source,
    when: 'money is given back',
    by: { flow: 'refund' },
    request: {
      method: 'POST',
      path: '/v1/orders/{provider_reference}/refunds',
      headers: keyed,
      body: { merchant_refund: '{modification}', amount: '25.00', currency: 'IDR' },
    },
    reply: { status: 201, body: refund('REFUNDED') },
    outcome: { status: 'settled', providerReference: 're_90c4d2', amount: '25.00 IDR' },
  },
  ...(
    [
      ['REFUND_PENDING', { status: 'pending' }],
      ['REFUNDED', { status: 'settled', amount: '25.00 IDR' }],
      ['REFUND_FAILED', { status: 'declined', kind: 'hard' }],
    ] as const
  ).map(([state, outcome]): Golden => ({
    endpoint: 'get-refund',
    source,
    when: `a refund that is ${state} is looked up`,
    by: { flow: 'modificationStatus' },
    request: { method: 'GET', path: '/v1/refunds/{modification}', headers },
    reply: { status: 200, body: refund(state) },
    outcome,
  })),
];
