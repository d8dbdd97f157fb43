import type { Golden } from '@railyard/conformance';

/** Written from the README's tables, apart from the connector. */
const source = 'packages/connector-bank-transfer/README.md, Collection provider';
const headers = { 'x-api-key': '{settings.api_key}' };
const made = {
  id: 'c-1',
  reference: '{reference}',
  status: 'CREATED',
  amount: 25,
  currency: 'ARS',
  expiryDate: '2026-11-24T12:00:00Z',
};
const request = { method: 'POST', path: '/collections', headers: { ...headers, 'idempotency-key': '{key}' } };
const shared = {
  expiryDate: '2037-01-01T00:00:00Z',
  merchantType: 'RETAIL',
  merchantName: 'Shop',
  accountId: 'acc-1',
  callbackUrl: '{notify_url}',
  reference: '{reference}',
  amount: 25,
};
const offline = {
  ...request,
  // As bytes, because the digits of the amount count.
  body: '{"redirectUrl":"{return_url}","expiryDate":"2037-01-01T00:00:00Z","merchantType":"RETAIL","merchantName":"Shop","accountId":"acc-1","market":"AR","type":"OFFLINE","clientTaxId":"20055361682","amount":25.00,"callbackUrl":"{notify_url}","reference":"{reference}","currency":"ARS"}',
};
const by = { method: 'bank-offline-ar', flow: 'purchase' } as const;
const looked = { method: 'bank-offline-ar', flow: 'status' } as const;

export const collectionGoldens: readonly Golden[] = [
  {
    endpoint: 'create-transfer',
    source,
    when: 'an account is made for a transfer',
    by,
    request: offline,
    reply: {
      status: 201,
      body: {
        ...made,
        bankAccount: { bank: 'Banco', holder: 'Shop', number: '2850590940090418135201', reference: '7' },
      },
    },
    outcome: {
      status: 'pending',
      providerReference: 'c-1',
      payableUntil: '2037-01-01T00:00:00.000Z',
      show: {
        kind: 'payment-details',
        beneficiary: 'Shop',
        details: [
          { label: { en: 'Bank', pt: 'Banco' }, value: 'Banco', copy: true },
          { label: { en: 'Account', pt: 'Conta' }, value: '2850590940090418135201', copy: true },
          { label: { en: 'Reference', pt: 'Referência' }, value: '7', copy: true },
        ],
      },
    },
  },
  {
    endpoint: 'create-transfer',
    source,
    when: 'the transfer is made on the widget',
    by,
    request: offline,
    reply: { status: 201, body: { ...made, widgetUrl: 'https://widget.example/c-1' } },
    outcome: {
      status: 'pending',
      show: { kind: 'redirect', url: 'https://widget.example/c-1', surface: 'widget' },
    },
  },
  {
    endpoint: 'create-service-payment',
    source,
    when: 'a code is made for a service',
    by: { method: 'service-payment-pe', flow: 'purchase' },
    request: {
      ...request,
      body: {
        ...shared,
        market: 'PE',
        type: 'OFFLINE_SERVICE_PAYMENT',
        currency: 'PEN',
        redirectUrl: '{return_url}',
      },
    },
    reply: { status: 201, body: { ...made, currency: 'PEN', paymentCode: { service: 'Shop', code: '12345678' } } },
    outcome: {
      status: 'pending',
      providerReference: 'c-1',
      show: {
        kind: 'voucher',
        reference: '12345678',
        details: [{ label: { en: 'Service', pt: 'Serviço' }, value: 'Shop' }],
      },
    },
  },
  {
    endpoint: 'create-debit',
    source,
    when: 'a debit waits for the payer',
    by: { method: 'debin', flow: 'purchase' },
    request: {
      ...request,
      body: { ...shared, market: 'AR', type: 'PULL', currency: 'ARS', bankDetails: { alias: 'mesa.rio.luna' } },
    },
    reply: { status: 201, body: { ...made, payerMessage: 'Authorise it at your bank.' } },
    outcome: {
      status: 'pending',
      show: { kind: 'confirm-on-device', channel: 'app', message: 'Authorise it at your bank.' },
    },
  },
  {
    endpoint: 'create-debit',
    source,
    when: 'the code of an app was wrong, once more',
    by: { method: 'mobile-pull-pe', flow: 'purchase', sample: 'sent' },
    request: {
      ...request,
      body: {
        ...shared,
        market: 'PE',
        type: 'PULL',
        currency: 'PEN',
        bankDetails: { phoneNumber: '+51987654321', otp: '123456' },
      },
    },
    reply: { status: 422, body: { code: 'OTP_NOT_VALID', message: 'The code is not right.' } },
  },
  {
    endpoint: 'create-transfer',
    source,
    when: 'the request is refused',
    by,
    request: offline,
    reply: { status: 422, body: { code: 'ACCOUNT_CLOSED', message: 'The account is closed.' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'ACCOUNT_CLOSED' } },
  },
  ...(
    [
      ['CREATED', { status: 'pending' }],
      ['IN_REVIEW', { status: 'pending' }],
      ['PAID', { status: 'settled', amount: '25.00 ARS' }],
      ['EXPIRED', { status: 'declined', kind: 'soft' }],
      ['REJECTED', { status: 'declined', kind: 'soft' }],
      ['FAILED', { status: 'declined', kind: 'soft' }],
      ['CANCELLED', { status: 'declined', kind: 'hard' }],
    ] as const
  ).map(([status, outcome]): Golden => ({
    endpoint: 'get-collection',
    source,
    when: `the collection is ${status}`,
    by: looked,
    request: { method: 'GET', path: '/collections/{provider_reference}', headers },
    reply: { status: 200, body: { ...made, id: '{provider_reference}', status } },
    outcome,
  })),
  {
    endpoint: 'find-collection',
    source,
    when: 'the reply to the request was lost, and the provider never saw it',
    by: looked,
    request: { method: 'GET', path: '/collections/by-reference/{reference}', headers },
    reply: { status: 404, body: { code: 'NOT_FOUND', message: 'There is none.' } },
    outcome: { status: 'unknown', provider: { code: 'NOT_FOUND' } },
  },
];
