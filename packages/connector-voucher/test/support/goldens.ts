import type { Golden } from '@railyard/conformance';

/** Written from the official description and from Conekta's own package, apart from the connector. */
const description = 'https://github.com/conekta/openapi, 2.3.0: ';
const npm = 'npm conekta 9.0.0, __tests__/';

const headers = { authorization: 'Bearer {settings.api_key}', accept: 'application/vnd.conekta-v2.3.0+json' };
const ORDER = 'ord_2xayxSvfWzQ2TLz7r';
const times = { created_at: 1741103510, livemode: true, currency: 'MXN' };
const cash = {
  service_name: 'Cash',
  barcode_url: 'https://barcodes.conekta.com/cash/cashin/datalogic/10001140326893401915.png',
  object: 'cash_payment',
  type: 'cash',
  expires_at: 1743724800,
  reference: '10001140326893401915',
  product_type: 'cash_in',
};
const transfer = {
  object: 'bank_transfer_payment',
  type: 'spei',
  clabe: '646180111805034237',
  bank: 'STP',
  receiving_account_holder_name: 'Example Company SA de CV',
  reference_number: null,
  expires_at: 1683053729,
};
const charge = (id: string, payment_method: object, more: object = {}) => ({
  ...times,
  id: '67c72196e777ac0001f2140c',
  object: 'charge',
  order_id: id,
  status: 'pending_payment',
  amount: 2500,
  reference_id: '{reference}',
  payment_method,
  ...more,
});
const order = (
  payment_method: object,
  { id = ORDER, charges = {}, ...more }: { id?: string; charges?: object; [name: string]: unknown } = {},
) => ({
  ...times,
  object: 'order',
  id,
  amount: 2500,
  amount_refunded: 0,
  payment_status: 'pending_payment',
  charges: { object: 'list', has_more: false, total: 1, data: [charge(id, payment_method, charges)] },
  ...more,
});

const creating = (type: string) => ({
  method: 'POST',
  path: '/orders',
  headers,
  body: {
    currency: 'MXN',
    customer_info: { name: 'Ana Torres', email: 'ana@example.com', phone: '+525522997233' },
    line_items: [{ name: 'Two books', quantity: 1, unit_price: 2500 }],
    // Two days after the flow began.
    charges: [{ payment_method: { type, expires_at: 1795428000 }, reference_id: '{reference}' }],
  },
});
const asked = { method: 'GET', path: '/orders/{provider_reference}', headers };

const WORDS = [
  ['pending_payment', `${description}charge_response.status`, { status: 'pending' }],
  ['paid', `${description}order_response.payment_status`, { status: 'settled', amount: '25.00 MXN' }],
  ['partially_refunded', `${npm}orders-api.spec.ts, refund order`, { status: 'settled', amount: '25.00 MXN' }],
  ['refunded', 'https://developers.conekta.com/docs/order, order.refunded', { status: 'settled', amount: '25.00 MXN' }],
  ['declined', `${description}POST /orders, example card`, { status: 'declined', kind: 'soft' }],
  ['expired', 'npm conekta 9.0.0, EventTypes.orderExpired', { status: 'declined', kind: 'soft' }],
  ['canceled', 'npm conekta 9.0.0, EventTypes.orderCanceled', { status: 'declined', kind: 'hard' }],
] as const;

export const conektaGoldens: readonly Golden[] = [
  {
    endpoint: 'create-cash-order',
    source: `${description}POST /orders, example cash`,
    when: 'the payer gets a voucher',
    by: { method: 'cash-voucher', flow: 'purchase' },
    request: creating('cash'),
    reply: { status: 200, body: order(cash) },
    outcome: {
      status: 'pending',
      providerReference: ORDER,
      show: {
        kind: 'voucher',
        reference: cash.reference,
        document: cash.barcode_url,
        validUntil: '2026-11-23T10:00:00.000Z',
      },
    },
  },
  {
    endpoint: 'create-spei-order',
    source: `${description}payment_method_bank_transfer; ${npm}charges-api.spec.ts, spei`,
    when: 'the payer gets an account',
    by: { method: 'spei', flow: 'purchase' },
    request: creating('spei'),
    reply: { status: 200, body: order(transfer) },
    outcome: {
      status: 'pending',
      show: {
        kind: 'payment-details',
        beneficiary: 'Example Company SA de CV',
        details: [
          { label: 'CLABE', value: '646180111805034237', copy: true },
          { label: { en: 'Bank', pt: 'Banco' }, value: 'STP', copy: true },
        ],
        validUntil: '2026-11-23T10:00:00.000Z',
      },
    },
  },
  ...WORDS.map(([payment_status, source, outcome]): Golden => ({
    endpoint: 'get-order',
    source,
    when: `an order that is ${payment_status} is looked up`,
    by: { method: 'cash-voucher', flow: 'status' },
    request: asked,
    reply: {
      status: 200,
      body: order(cash, { id: '{provider_reference}', payment_status, charges: { status: payment_status } }),
    },
    outcome,
  })),
  {
    endpoint: 'get-order',
    source: `${description}GET /orders/{id}, 404`,
    when: 'there is no such order',
    by: { method: 'cash-voucher', flow: 'status' },
    request: asked,
    reply: {
      status: 404,
      body: {
        details: [{ message: 'The resource was not found.', code: 'conekta.errors.resource_not_found.entity' }],
        object: 'error',
        type: 'resource_not_found_error',
      },
    },
    outcome: { status: 'unknown', provider: { code: 'conekta.errors.resource_not_found.entity' } },
  },
  {
    endpoint: 'cancel-order',
    source: `${description}POST /orders/{id}/cancel, order_response`,
    when: 'the payer pays another way',
    by: { method: 'cash-voucher', flow: 'withdraw' },
    request: { method: 'POST', path: `${asked.path}/cancel`, headers },
    reply: {
      status: 200,
      body: order(cash, { id: '{provider_reference}', payment_status: 'canceled', charges: { status: 'canceled' } }),
    },
    outcome: { status: 'declined', kind: 'hard' },
  },
  {
    endpoint: 'cancel-order',
    source: `${description}POST /orders/{id}/cancel, 428`,
    when: 'the provider does not cancel an order whose charge waits',
    by: { method: 'cash-voucher', flow: 'withdraw' },
    request: { method: 'POST', path: `${asked.path}/cancel`, headers },
    reply: {
      status: 428,
      body: {
        details: [
          {
            debug_message: 'The order cannot be modified because it has already a charge which is pending payment.',
            message: 'The order cannot be modified because it has already a charge which is pending payment.',
            code: 'conekta.errors.precondition_required.combo.order.cannot_be_updated_because_has_charge',
          },
        ],
        log_id: '641b6e233cd9a50001515039',
        object: 'error',
        type: 'precondition_required_error',
      },
    },
  },
  {
    endpoint: 'find-charges',
    source: `${description}GET /charges, search`,
    when: 'the reply to an order was lost',
    by: { method: 'cash-voucher', flow: 'status' },
    request: { method: 'GET', path: '/charges?search={reference}', headers },
    reply: { status: 200, body: { object: 'list', has_more: false, data: [charge(ORDER, cash)] } },
    outcome: { status: 'pending', providerReference: ORDER, show: { kind: 'voucher', reference: cash.reference } },
  },
  {
    endpoint: 'create-refund',
    source: `${description}orderRefund_request; ${npm}orders-api.spec.ts, refund order`,
    when: 'money is given back',
    by: { method: 'cash-voucher', flow: 'refund' },
    request: {
      method: 'POST',
      path: '/orders/{provider_reference}/refunds',
      headers,
      body: { amount: 2500, reason: 'requested_by_client' },
    },
    reply: {
      status: 200,
      body: order(cash, {
        id: '{provider_reference}',
        amount_refunded: 2500,
        payment_status: 'refunded',
        charges: {
          status: 'refunded',
          refunds: {
            object: 'list',
            has_more: false,
            data: [
              {
                amount: -2500,
                created_at: 1678226878,
                id: '6407b5bee1329a000175ba11',
                object: 'refund',
                status: 'pending',
              },
            ],
          },
        },
      }),
    },
    outcome: { status: 'pending', providerReference: '6407b5bee1329a000175ba11' },
  },
];
