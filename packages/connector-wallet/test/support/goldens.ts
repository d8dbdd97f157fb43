import type { Golden } from '@railyard/conformance';

/** Written from the official descriptions and from PayPal's own pages, apart from the connector. */
const orders = 'https://github.com/paypal/paypal-rest-api-specifications, Orders 2.13: ';
const payments = 'https://github.com/paypal/paypal-rest-api-specifications, Payments 2.5: ';

const ORDER = '4FS9138999682320N';
const HOLD = '0AW2184448108334S';
const CAPTURE = '2GG279541U471931P';
const amount = { currency_code: 'USD', value: '25.00' };
const token = { access_token: 'A21AAF', token_type: 'Bearer', app_id: 'APP-80W284485P519543T', expires_in: 31668 };
const bearer = { authorization: 'Bearer A21AAF' };
const whole = { ...bearer, prefer: 'return=representation', 'paypal-request-id': '{key}' };

const post = (path: string, body: object) => ({ method: 'POST', path, headers: whole, body });
const orderBody = (intent: string) => ({
  intent,
  purchase_units: [{ amount, description: 'Two books', custom_id: '{reference}' }],
  payment_source: {
    paypal: {
      experience_context: {
        return_url: '{return_url}',
        cancel_url: '{return_url}',
        user_action: 'PAY_NOW',
        shipping_preference: 'NO_SHIPPING',
      },
    },
  },
});
const order = (status: string, made?: object, id = ORDER) => ({
  id,
  status,
  payment_source: { paypal: {} },
  purchase_units: [{ reference_id: 'default', amount, custom_id: '{reference}', ...(made && { payments: made }) }],
  links: [
    { href: `https://api-m.paypal.com/v2/checkout/orders/${id}`, rel: 'self', method: 'GET' },
    { href: `https://www.paypal.com/checkoutnow?token=${id}`, rel: 'payer-action', method: 'GET' },
  ],
});
const made = (id: string, status: string, more: object = {}) => ({ id, status, amount, ...more });
const asked = { method: 'GET', path: '/v2/checkout/orders/{provider_reference}', headers: bearer };
const problem = (name: string, issue: string, description: string) => ({
  name,
  message: 'The request was not taken.',
  debug_id: '90957fca61718',
  details: [{ issue, description }],
});
const visited = {
  nextAction: {
    kind: 'visit',
    url: `https://www.paypal.com/checkoutnow?token=${ORDER}`,
    method: 'GET',
    reference: ORDER,
  },
};

const ORDERS = [
  ['CREATED', { status: 'pending' }],
  ['SAVED', { status: 'pending' }],
  ['PAYER_ACTION_REQUIRED', { status: 'pending' }],
  ['VOIDED', { status: 'declined', kind: 'hard' }],
] as const;
const HOLDS = [
  ['CREATED', { status: 'authorized', amount: '25.00 USD' }],
  ['PENDING', { status: 'pending' }],
  ['PARTIALLY_CAPTURED', { status: 'authorized' }],
  ['CAPTURED', { status: 'authorized' }],
  ['DENIED', { status: 'declined', kind: 'soft' }],
] as const;
const CAPTURES = [
  ['COMPLETED', { status: 'settled', amount: '25.00 USD' }],
  ['PARTIALLY_REFUNDED', { status: 'settled', amount: '25.00 USD' }],
  ['REFUNDED', { status: 'settled', amount: '25.00 USD' }],
  ['PENDING', { status: 'pending' }],
  ['DECLINED', { status: 'declined', kind: 'soft' }],
  ['FAILED', { status: 'declined', kind: 'soft' }],
] as const;
const REFUNDS = [
  ['COMPLETED', { status: 'settled', amount: '25.00 USD' }],
  ['PENDING', { status: 'pending' }],
  ['FAILED', { status: 'declined' }],
  ['CANCELLED', { status: 'declined', kind: 'hard' }],
] as const;

const lookUp = (
  when: string,
  source: string,
  status: string,
  payments: object | undefined,
  outcome: object,
): Golden => ({
  endpoint: 'get-order',
  source,
  when,
  by: { flow: 'status' },
  request: asked,
  reply: { status: 200, body: order(status, payments, '{provider_reference}') },
  outcome: { providerReference: '{provider_reference}', ...outcome },
});

const refunding = (status: string, outcome: object): Golden => ({
  endpoint: 'refund-capture',
  source: `${payments}POST /v2/payments/captures/{capture_id}/refund, refund_request, refund_status`,
  when: `a refund is ${status}`,
  by: { flow: 'refund', sample: 'sale' },
  request: post(`/v2/payments/captures/${CAPTURE}/refund`, {
    amount,
    invoice_id: '{modification}',
    custom_id: '{reference}',
  }),
  reply: { status: 201, body: made('1JU08902781691411', status, { invoice_id: '{modification}' }) },
  outcome: { providerReference: '1JU08902781691411', ...outcome },
});

export const paypalGoldens: readonly Golden[] = [
  {
    endpoint: 'token',
    source: `${orders}securitySchemes, Oauth2; RFC 6749, 2.3.1 and 4.4`,
    when: 'the account proves itself',
    request: {
      method: 'POST',
      path: '/v1/oauth2/token',
      headers: { authorization: 'Basic {base64:{settings.client_id}:{settings.client_secret}}' },
      body: { grant_type: 'client_credentials' },
    },
    reply: { status: 200, body: token },
  },
  {
    endpoint: 'create-order',
    source: `${orders}POST /v2/checkout/orders, order_request, 201`,
    when: 'the payer is sent to PayPal',
    by: { flow: 'purchase', sample: 'sale' },
    request: post('/v2/checkout/orders', orderBody('CAPTURE')),
    reply: { status: 201, body: order('PAYER_ACTION_REQUIRED') },
    outcome: visited,
  },
  {
    endpoint: 'create-order',
    source: `${orders}POST /v2/checkout/orders, checkout_payment_intent, 200`,
    when: 'money is to be held, and the order was made before',
    by: { flow: 'purchase', sample: 'hold' },
    request: post('/v2/checkout/orders', orderBody('AUTHORIZE')),
    reply: { status: 200, body: order('PAYER_ACTION_REQUIRED') },
    outcome: visited,
  },
  {
    endpoint: 'create-order',
    source: `${orders}POST /v2/checkout/orders, 422`,
    when: 'the account may not take money',
    by: { flow: 'purchase', sample: 'sale' },
    request: post('/v2/checkout/orders', orderBody('CAPTURE')),
    reply: {
      status: 422,
      body: problem('UNPROCESSABLE_ENTITY', 'PAYEE_ACCOUNT_RESTRICTED', 'The merchant account is restricted.'),
    },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'PAYEE_ACCOUNT_RESTRICTED' } },
  },
  {
    endpoint: 'capture-order',
    source: `${orders}POST /v2/checkout/orders/{id}/capture, 201; capture_status`,
    when: 'the payer has approved the order',
    by: { flow: 'purchase', sample: 'sale' },
    request: post(`/v2/checkout/orders/${ORDER}/capture`, {}),
    reply: { status: 201, body: order('COMPLETED', { captures: [made(CAPTURE, 'COMPLETED')] }) },
    outcome: {
      status: 'settled',
      providerReference: ORDER,
      amount: '25.00 USD',
      connectorState: { capture: CAPTURE },
    },
  },
  {
    endpoint: 'capture-order',
    source: `${orders}POST /v2/checkout/orders/{id}/capture, orders.capture-422`,
    when: 'the payer comes back without having approved the order',
    by: { flow: 'purchase', sample: 'sale' },
    request: post(`/v2/checkout/orders/${ORDER}/capture`, {}),
    reply: {
      status: 422,
      body: problem('UNPROCESSABLE_ENTITY', 'ORDER_NOT_APPROVED', 'Payer has not yet approved the Order for payment.'),
    },
    outcome: {
      status: 'declined',
      kind: 'soft',
      code: 'cancelled_by_payer',
      provider: { code: 'ORDER_NOT_APPROVED' },
    },
  },
  {
    endpoint: 'capture-order',
    source: `${orders}POST /v2/checkout/orders/{id}/capture, orders.capture-422`,
    when: 'the order was taken under a key that has been forgotten',
    by: { flow: 'purchase', sample: 'sale' },
    request: post(`/v2/checkout/orders/${ORDER}/capture`, {}),
    reply: {
      status: 422,
      body: problem('UNPROCESSABLE_ENTITY', 'ORDER_ALREADY_CAPTURED', 'Order already captured.'),
    },
    outcome: { status: 'unknown', provider: { code: 'ORDER_ALREADY_CAPTURED' } },
  },
  {
    endpoint: 'authorize-order',
    source: `${orders}POST /v2/checkout/orders/{id}/authorize, 201; authorization_status`,
    when: 'the payer has approved an order whose money is to be held',
    by: { flow: 'purchase', sample: 'hold' },
    request: post(`/v2/checkout/orders/${ORDER}/authorize`, {}),
    reply: { status: 201, body: order('COMPLETED', { authorizations: [made(HOLD, 'CREATED')] }) },
    outcome: {
      status: 'authorized',
      providerReference: ORDER,
      amount: '25.00 USD',
      connectorState: { authorization: HOLD },
    },
  },
  ...ORDERS.map(([status, outcome]) =>
    lookUp(`an order without a payment is ${status}`, `${orders}order_status`, status, undefined, outcome),
  ),
  ...HOLDS.map(([status, outcome]) =>
    lookUp(
      `a hold is ${status}`,
      `${orders}authorization_status`,
      'COMPLETED',
      { authorizations: [made(HOLD, status)] },
      outcome,
    ),
  ),
  ...CAPTURES.map(([status, outcome]) =>
    lookUp(
      `a capture is ${status}`,
      `${orders}capture_status; https://developer.paypal.com/api/orders/v2/definitions/order_status, COMPLETED`,
      'COMPLETED',
      { captures: [made(CAPTURE, status)] },
      outcome,
    ),
  ),
  {
    endpoint: 'get-order',
    source: `${orders}order_status, APPROVED`,
    when: 'the payer has approved the order and closed the page',
    by: { flow: 'status' },
    request: asked,
    reply: { status: 200, body: order('APPROVED', undefined, '{provider_reference}') },
  },
  {
    endpoint: 'get-order',
    source: `${orders}GET /v2/checkout/orders/{id}, 404`,
    when: 'there is no such order',
    by: { flow: 'status' },
    request: asked,
    reply: {
      status: 404,
      body: problem('RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID', 'Specified resource ID does not exist.'),
    },
    outcome: { status: 'unknown', provider: { code: 'INVALID_RESOURCE_ID' } },
  },
  {
    endpoint: 'capture-hold',
    source: `${payments}POST /v2/payments/authorizations/{authorization_id}/capture, capture_request, 201`,
    when: 'a hold is captured',
    by: { flow: 'capture', sample: 'hold' },
    request: post(`/v2/payments/authorizations/${HOLD}/capture`, {
      amount,
      invoice_id: '{modification}',
      final_capture: true,
    }),
    reply: { status: 201, body: made(CAPTURE, 'COMPLETED', { invoice_id: '{modification}', final_capture: true }) },
    outcome: {
      status: 'settled',
      providerReference: CAPTURE,
      amount: '25.00 USD',
      connectorState: { capture: CAPTURE },
    },
  },
  {
    endpoint: 'void-hold',
    source: `${payments}POST /v2/payments/authorizations/{authorization_id}/void, 200`,
    when: 'a hold is let go of',
    by: { flow: 'void', sample: 'hold' },
    request: {
      method: 'POST',
      path: `/v2/payments/authorizations/${HOLD}/void`,
      headers: { ...bearer, prefer: 'return=representation' },
    },
    reply: { status: 200, body: made(HOLD, 'VOIDED') },
    outcome: { status: 'settled', providerReference: HOLD, amount: '25.00 USD' },
  },
  ...REFUNDS.map(([status, outcome]) => refunding(status, outcome)),
];
