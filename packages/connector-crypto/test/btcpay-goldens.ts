import type { Golden } from '@railyard/conformance';

/** Written from the official description, apart from the connector. */
const source = 'https://docs.btcpayserver.org/API/Greenfield/v1, 2026-07: ';
const headers = { authorization: 'token {settings.api_key}' };
const STORE = '/api/v1/stores/{settings.store_id}';
const INVOICE = 'provider-1';
const ADDRESS = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const invoice = {
  id: INVOICE,
  storeId: '{settings.store_id}',
  amount: '25.00',
  currency: 'EUR',
  status: 'New',
  additionalStatus: 'None',
  expirationTime: 1_795_263_300,
  monitoringExpiration: 1_795_349_700,
  metadata: { orderId: '{reference}' },
};
const payment = { id: 'a-transaction-1', value: '0.00025', fee: '0', status: 'Settled', destination: ADDRESS };
const method = {
  paymentMethodId: 'BTC-CHAIN',
  currency: 'BTC',
  destination: ADDRESS,
  paymentLink: `bitcoin:${ADDRESS}?amount=0.00025`,
  rate: '100000',
  amount: '0.00025',
  due: '0.00025',
  payments: [],
};
const payout = {
  id: 'provider-1',
  state: 'AwaitingPayment',
  originalCurrency: 'BTC',
  originalAmount: '0.25',
  metadata: { source: '{reference}' },
};
const refund = {
  id: 'modification-1',
  name: 'Refund {modification}',
  amount: '25.00',
  currency: 'EUR',
  viewLink: 'https://btcpay.example/pull-payments/3rTsYVCSRkbGEX2VB2UYb2PBMtkN',
};
const ok = (body: unknown) => ({ status: 200, body });
const get = (path: string) => ({ method: 'GET' as const, path, headers });

export const btcpayGoldens: readonly Golden[] = [
  {
    endpoint: 'create-invoice',
    source: `${source}POST /api/v1/stores/{storeId}/invoices, CreateInvoiceRequest, InvoiceData`,
    when: 'an invoice is made',
    by: { flow: 'purchase' },
    request: {
      method: 'POST',
      path: `${STORE}/invoices`,
      headers,
      body: {
        amount: '25.00',
        currency: 'EUR',
        metadata: { orderId: '{reference}', itemDesc: 'Two books' },
        checkout: { paymentMethods: ['BTC-CHAIN'] },
      },
    },
    reply: ok(invoice),
  },
  {
    endpoint: 'get-address',
    source: `${source}GET /api/v1/invoices/{invoiceId}/payment-methods, InvoicePaymentMethodDataModel`,
    when: 'the payer is shown the address',
    by: { flow: 'purchase' },
    request: get(`/api/v1/invoices/${INVOICE}/payment-methods`),
    reply: ok([method]),
    outcome: {
      status: 'pending',
      providerReference: INVOICE,
      show: { kind: 'address', address: ADDRESS, asset: 'BTC', amount: '0.00025' },
    },
  },
  {
    endpoint: 'create-invoice',
    source: `${source}POST /api/v1/stores/{storeId}/invoices, ValidationProblemDetails`,
    when: 'a field is wrong',
    by: { flow: 'purchase' },
    request: {
      method: 'POST',
      path: `${STORE}/invoices`,
      headers,
      body: {
        amount: '25.00',
        currency: 'EUR',
        metadata: { orderId: '{reference}', itemDesc: 'Two books' },
        checkout: { paymentMethods: ['BTC-CHAIN'] },
      },
    },
    reply: { status: 400, body: [{ path: 'currency', message: 'There is no rate.' }] },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'currency', message: 'There is no rate.' } },
  },
  {
    endpoint: 'get-invoice',
    source: `${source}GET /api/v1/invoices/{invoiceId}, InvoiceData`,
    when: 'an invoice is looked up',
    by: { flow: 'status' },
    request: get(`/api/v1/invoices/${INVOICE}`),
    reply: ok({ ...invoice, status: 'Settled' }),
  },
  {
    endpoint: 'get-payments',
    source: `${source}GET /api/v1/invoices/{invoiceId}/payment-methods, Payment`,
    when: 'coins have arrived',
    by: { flow: 'status' },
    request: get(`/api/v1/invoices/${INVOICE}/payment-methods`),
    reply: ok([{ ...method, due: '0', payments: [payment] }]),
  },
  {
    endpoint: 'mark-invalid',
    source: `${source}POST /api/v1/invoices/{invoiceId}/status, MarkInvoiceStatusRequest, InvoiceData`,
    when: 'the payer pays another way',
    by: { flow: 'withdraw' },
    request: {
      method: 'POST',
      path: `/api/v1/invoices/${INVOICE}/status`,
      headers,
      body: { status: 'Invalid' },
    },
    reply: ok({ ...invoice, status: 'Invalid' }),
    outcome: { status: 'declined', kind: 'hard' },
  },
  {
    endpoint: 'find-invoices',
    source: `${source}GET /api/v1/stores/{storeId}/invoices, InvoiceDataList`,
    when: 'the reply of an invoice was lost',
    request: get(`${STORE}/invoices?orderId={reference}`),
    reply: ok([invoice]),
  },
  {
    endpoint: 'create-payout',
    source: `${source}POST /api/v1/stores/{storeId}/payouts, CreatePayoutThroughStoreRequest, PayoutData`,
    when: 'bitcoin is sent',
    by: { flow: 'credit' },
    request: {
      method: 'POST',
      path: `${STORE}/payouts`,
      headers,
      body: {
        destination: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
        amount: '0.25000000',
        metadata: { source: '{reference}' },
        payoutMethodId: 'BTC-CHAIN',
        approved: true,
      },
    },
    reply: ok(payout),
    outcome: { status: 'pending', providerReference: payout.id },
  },
  {
    endpoint: 'get-payout',
    source: `${source}GET /api/v1/payouts/{payoutId}, PayoutData`,
    when: 'a payout is through',
    request: get(`/api/v1/payouts/${payout.id}`),
    reply: ok({ ...payout, state: 'Completed' }),
    outcome: { status: 'settled', amount: '0.25000000 BTC' },
  },
  {
    endpoint: 'list-payouts',
    source: `${source}GET /api/v1/stores/{storeId}/payouts, PayoutDataList`,
    when: 'the reply of a payout was lost',
    request: get(`${STORE}/payouts?includeCancelled=true`),
    reply: ok([{ ...payout, state: 'Cancelled' }]),
    outcome: { status: 'declined', kind: 'hard' },
  },
  {
    endpoint: 'create-refund',
    source: `${source}POST /api/v1/invoices/{invoiceId}/refund, RefundInvoiceRequest, PullPaymentData`,
    when: 'a refund is made',
    by: { flow: 'refund' },
    request: {
      method: 'POST',
      path: `/api/v1/invoices/${INVOICE}/refund`,
      headers,
      body: {
        name: 'Refund {modification}',
        refundVariant: 'Custom',
        customAmount: '25.00',
        customCurrency: 'EUR',
        payoutMethods: ['BTC-CHAIN'],
      },
    },
    reply: ok(refund),
    outcome: { status: 'pending', providerReference: refund.id, provider: { message: refund.viewLink } },
  },
  {
    endpoint: 'get-pull-payment',
    source: `${source}GET /api/v1/pull-payments/{pullPaymentId}, PullPaymentData`,
    when: 'a refund is looked up',
    by: { flow: 'modificationStatus' },
    request: get(`/api/v1/pull-payments/${refund.id}`),
    reply: ok(refund),
  },
  {
    endpoint: 'list-pull-payments',
    source: `${source}GET /api/v1/stores/{storeId}/pull-payments, PullPaymentDataList`,
    when: 'the reply of a refund was lost',
    by: { flow: 'modificationStatus' },
    request: get(`${STORE}/pull-payments`),
    reply: ok([refund]),
  },
  {
    endpoint: 'list-claims',
    source: `${source}GET /api/v1/pull-payments/{pullPaymentId}/payouts, PayoutDataList`,
    when: 'the payer has claimed a refund',
    by: { flow: 'modificationStatus' },
    request: get(`/api/v1/pull-payments/${refund.id}/payouts`),
    reply: ok([{ ...payout, originalCurrency: 'EUR', originalAmount: '25.00', state: 'Completed' }]),
    outcome: { status: 'settled', amount: '25.00 EUR' },
  },
];
