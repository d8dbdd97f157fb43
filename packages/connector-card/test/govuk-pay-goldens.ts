import type { Golden } from '@railyard/conformance';

const description = 'github.com/alphagov/pay-publicapi, openapi/publicapi_spec.json 1.0.3: ';
const docs = 'https://docs.payments.service.gov.uk/';
const headers = { authorization: 'Bearer {settings.api_key}' };
const PAYMENT = '/v1/payments/{provider_reference}';
const NEXT = 'https://www.payments.service.gov.uk/secure/ef1b6ff1-db34-4c62-b854-3ed4ba3c4049';

/** As on the page "Create a payment API reference", of £25 for two books. */
const payment = (state: object, more: object = {}) => ({
  amount: 2500,
  description: 'Two books',
  reference: '{reference}',
  language: 'en',
  state,
  payment_id: '{provider_reference}',
  payment_provider: 'stripe',
  created_date: '2022-03-25T13:11:29.019Z',
  refund_summary: { status: 'pending', amount_available: 2500, amount_submitted: 0 },
  settlement_summary: {},
  delayed_capture: false,
  moto: false,
  return_url: 'https://your.service.gov.uk/completed',
  _links: {
    self: { href: 'https://publicapi.payments.service.gov.uk/v1/payments/hu20sqlact5260q2nanm0q8u93', method: 'GET' },
    next_url: { href: NEXT, method: 'GET' },
  },
  ...more,
});
const isCreated = { status: 'created', finished: false };
const isPaid = { status: 'success', finished: true };

const creating = (delayed_capture: boolean) => ({
  method: 'POST',
  path: '/v1/payments',
  headers,
  body: {
    amount: 2500,
    reference: '{reference}',
    description: 'Two books',
    return_url: '{return_url}',
    delayed_capture,
  },
});
const created = {
  status: 201,
  body: payment(isCreated, { payment_id: 'hu20sqlact5260q2nanm0q8u93' }),
};
const waits = {
  status: 'pending',
  providerReference: 'hu20sqlact5260q2nanm0q8u93',
  show: { kind: 'redirect', url: NEXT },
} as const;

const lookUp = (when: string, state: object, outcome: object, more: object = {}): Golden => ({
  endpoint: 'get-payment',
  source: `${docs}api_reference/#payment-status-meanings`,
  when,
  by: { flow: 'status' },
  request: { method: 'GET', path: PAYMENT, headers },
  reply: { status: 200, body: payment(state, more) },
  outcome: { providerReference: '{provider_reference}', ...outcome },
});
const ended = (when: string, state: object, outcome: object): Golden => {
  const { outcome: told, ...golden } = lookUp(when, state, { status: 'declined', ...outcome });
  return { ...golden, outcome: { events: [{ kind: 'ended', outcome: told }] } };
};
const failed = (code: string, message: string) => ({ status: 'failed', finished: true, message, code });

const refund = (status: string) => ({
  refund_id: '4jfabcee0ev36so050kooajabk',
  created_date: '2022-03-22T12:44:15.226Z',
  amount: 2500,
  status,
});

const disputesAsked = { method: 'GET', path: '/v1/disputes?from_date=2022-03-25T13%3A11%3A29Z&page=1', headers };

export const govukPayGoldens: readonly Golden[] = [
  {
    endpoint: 'create-payment',
    source: `${docs}making_payments/#creating-a-payment`,
    when: 'a payment is created',
    by: { sample: 'sale' },
    request: creating(false),
    reply: created,
    outcome: waits,
  },
  {
    endpoint: 'create-payment',
    source: `${docs}delayed_capture/`,
    when: 'a payment whose capture is delayed is created',
    by: { sample: 'hold' },
    request: creating(true),
    reply: created,
    outcome: waits,
  },
  {
    endpoint: 'create-payment',
    source: `${docs}api_reference/#gov-uk-pay-api-error-codes`,
    when: 'a value is refused',
    by: { sample: 'sale' },
    request: creating(false),
    reply: {
      status: 422,
      body: {
        field: 'amount',
        code: 'P0102',
        description: 'Invalid attribute value: amount. Must be less than or equal to 10000000',
      },
    },
    outcome: { status: 'declined' },
  },
  {
    endpoint: 'find-payments',
    source: `${description}GET /v1/payments, PaymentSearchResults`,
    when: 'a payment is looked for by our reference',
    request: { method: 'GET', path: '/v1/payments?reference={reference}', headers },
    reply: {
      status: 200,
      body: { total: 1, count: 1, page: 1, results: [payment(isPaid, { _links: {} })], _links: {} },
    },
  },
  lookUp('the user confirmed', isPaid, { status: 'settled', amount: '25.00 GBP' }),
  lookUp('the user has not visited next_url', isCreated, { status: 'pending' }),
  lookUp(
    'the user confirmed, with the surcharge of a corporate card',
    isPaid,
    { status: 'settled', amount: '25.00 GBP' },
    {
      corporate_card_surcharge: 250,
      total_amount: 2750,
      refund_summary: { status: 'available', amount_available: 2750, amount_submitted: 0 },
    },
  ),
  ended('the card was rejected', failed('P0010', 'Payment method rejected'), {
    kind: 'soft',
    code: 'card_declined',
  }),
  ended('the user did not confirm within 90 minutes', failed('P0020', 'Payment expired'), { code: 'timed_out' }),
  ended('the user selected Cancel payment', failed('P0030', 'Payment was cancelled by the user'), {
    code: 'cancelled_by_payer',
  }),
  {
    endpoint: 'capture-payment',
    source: `${docs}delayed_capture/`,
    when: 'a delayed payment is taken',
    request: { method: 'POST', path: `${PAYMENT}/capture`, headers },
    reply: { status: 204, body: null },
  },
  {
    endpoint: 'cancel-payment',
    source: `${docs}making_payments/#cancel-a-payment-that-s-in-progress`,
    when: 'a payment in progress is cancelled',
    by: { flow: 'withdraw' },
    request: { method: 'POST', path: `${PAYMENT}/cancel`, headers },
    reply: { status: 204, body: null },
  },
  {
    endpoint: 'create-refund',
    source: `${docs}api_reference/refund_payment_reference/`,
    when: 'a payment is refunded',
    request: {
      method: 'POST',
      path: `${PAYMENT}/refunds`,
      headers,
      body: { amount: 2500, refund_amount_available: 2500 },
    },
    reply: { status: 202, body: refund('submitted') },
    outcome: { status: 'pending', providerReference: '4jfabcee0ev36so050kooajabk' },
  },
  {
    endpoint: 'create-refund',
    source: `${docs}refunding_payments/`,
    when: 'the amount that could be refunded was another one',
    request: {
      method: 'POST',
      path: `${PAYMENT}/refunds`,
      headers,
      body: { amount: 2500, refund_amount_available: 2500 },
    },
    reply: { status: 412, body: { code: 'P0604', description: 'Refund amount available mismatch.' } },
    outcome: { status: 'declined' },
  },
  {
    endpoint: 'get-refund',
    source: `${docs}refunding_payments/#checking-the-status-of-a-refund`,
    when: 'a refund was made',
    by: { flow: 'modificationStatus' },
    request: { method: 'GET', path: `${PAYMENT}/refunds/{provider_modification}`, headers },
    reply: { status: 200, body: { ...refund('success'), refund_id: '{provider_modification}' } },
    outcome: { status: 'settled', amount: '25.00 GBP' },
  },
  {
    endpoint: 'list-refunds',
    source: `${docs}api_reference/payment_refunds_reference/`,
    when: 'the refunds of a payment are listed',
    by: { flow: 'modificationStatus' },
    request: { method: 'GET', path: `${PAYMENT}/refunds`, headers },
    reply: {
      status: 200,
      body: { payment_id: '{provider_reference}', _links: {}, _embedded: { refunds: [refund('success')] } },
    },
  },
  {
    endpoint: 'list-disputes',
    source: `${description}GET /v1/disputes, DisputesSearchResults`,
    when: 'no payment was disputed since',
    by: { flow: 'status' },
    request: disputesAsked,
    reply: { status: 200, body: { page: 1, count: 0, total: 0, results: [], links: {} } },
    outcome: { status: 'settled' },
  },
  {
    endpoint: 'list-disputes',
    source: `${docs}disputes/`,
    when: 'a payment was disputed',
    by: { flow: 'status' },
    request: disputesAsked,
    reply: {
      status: 200,
      body: {
        page: 1,
        count: 1,
        total: 1,
        results: [
          {
            amount: 2500,
            created_date: '2022-01-21T17:15:00.000Z',
            dispute_id: 'geCju5lhLGr0B2jfiT3jo5wDek',
            evidence_due_date: '2022-01-10T23:59:59.000Z',
            fee: 1500,
            net_amount: -2500,
            payment_id: '{provider_reference}',
            reason: 'credit_not_processed',
            status: 'lost',
            settlement_summary: { settled_date: '2022-01-21' },
          },
        ],
      },
    },
  },
];
