import type { Golden } from '@railyard/conformance';

const source = 'README.md, The provider’s API';
const payment = {
  id: 'pay_7c2e',
  reference: '{reference}',
  status: 'OPEN',
  amount: '25.00',
  currency: 'EUR',
  payer_url: 'https://pay.example/p/pay_7c2e',
};
const refund = { id: 'ref_11d0', reference: '{modification}', status: 'PAID', amount: '25.00', currency: 'EUR' };
const keyed = { 'x-api-key': '{settings.api_key}', 'idempotency-key': '{key}' };
const read = { 'x-api-key': '{settings.api_key}' };

/**
 * Exchanges as the provider documents them. Write them from the documentation, not from the code: they are what tells whether the
 * connector speaks the provider's language.
 */
export const goldens: readonly Golden[] = [
  {
    endpoint: 'create-payment',
    source,
    when: 'a payer is to pay on the provider’s page',
    request: {
      method: 'POST',
      path: '/v1/payments',
      headers: keyed,
      body: {
        reference: '{reference}',
        amount: '25.00',
        currency: 'EUR',
        description: 'Two books',
        account_name: 'Maria Silva',
        statement_text: 'Two books',
        return_url: '{return_url}',
        notify_url: '{notify_url}',
      },
    },
    reply: { status: 201, body: payment },
    outcome: { status: 'pending', providerReference: 'pay_7c2e', show: { kind: 'redirect', url: payment.payer_url } },
  },
  {
    endpoint: 'get-payment',
    source,
    when: 'a payment is looked up by the provider’s id',
    request: { method: 'GET', path: '/v1/payments/{provider_reference}', headers: read },
    reply: { status: 200, body: { ...payment, id: '{provider_reference}', status: 'PAID' } },
    outcome: { status: 'settled', amount: '25.00 EUR' },
  },
  {
    endpoint: 'find-payment',
    source,
    when: 'the reply to a payment was lost',
    request: { method: 'GET', path: '/v1/payments/by-reference/{reference}', headers: read },
    reply: { status: 200, body: payment },
    outcome: { status: 'pending', providerReference: 'pay_7c2e' },
  },
  {
    endpoint: 'create-refund',
    source,
    when: 'what was paid is given back',
    request: {
      method: 'POST',
      path: '/v1/payments/{provider_reference}/refunds',
      headers: keyed,
      body: { reference: '{modification}', amount: '25.00' },
    },
    reply: { status: 201, body: refund },
    outcome: { status: 'settled', providerReference: 'ref_11d0' },
  },
  {
    endpoint: 'find-refund',
    source,
    when: 'the reply to a refund was lost',
    request: { method: 'GET', path: '/v1/refunds/by-reference/{modification}', headers: read },
    reply: { status: 200, body: refund },
    outcome: { status: 'settled', providerReference: 'ref_11d0' },
  },
];
