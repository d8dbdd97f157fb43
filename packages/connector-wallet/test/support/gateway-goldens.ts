import type { Golden } from '@railyard/conformance';

/** Written from the README's tables, apart from the connector. */
const source = 'packages/connector-wallet/README.md, Gateway to wallets';
const headers = { authorization: 'Bearer {settings.api_token}' };
const waiting = { payment_id: 'wp_1', our_id: '{reference}', status: 'waiting', amount: '25.00', currency: 'USD' };

/** What the gateway is asked for a method, and the headers of the request. */
const asked = (method: string, show: string, payer: object, currency = 'USD') => ({
  method: 'POST',
  path: '/payments',
  headers: { ...headers, 'x-once': '{key}' },
  body: {
    method,
    show,
    our_id: '{reference}',
    amount: '25.00',
    currency,
    payer,
    come_back_to: '{return_url}',
    tell: '{notify_url}',
  },
});

/** The payer of a method is shown what the reply says. */
const shown = (method: string, endpoint: string, show: string, said: object, seen: object): Golden => ({
  endpoint,
  source,
  when: `the payer is shown how to pay, by ${show}`,
  by: { method, flow: 'purchase' },
  request: asked(method, show, {}),
  reply: { status: 201, body: { ...waiting, ...said } },
  outcome: { status: 'pending', providerReference: 'wp_1', show: seen },
});

const STATUSES = [
  ['waiting', { status: 'pending' }],
  ['paid', { status: 'settled', amount: '25.00 USD' }],
  ['rejected', { status: 'declined', kind: 'soft', code: 'declined_by_provider' }],
  ['no_money', { status: 'declined', kind: 'soft', code: 'insufficient_funds' }],
  ['cancelled', { status: 'declined', kind: 'soft', code: 'cancelled_by_payer' }],
  ['expired', { status: 'declined', kind: 'soft', code: 'timed_out' }],
] as const;

const byDocument = { method: 'document-redirect', flow: 'purchase' } as const;
const openPage = asked('document-redirect', 'page', { document_number: '1701234567' });
const status = { method: 'widget', flow: 'status' } as const;

export const gatewayGoldens: readonly Golden[] = [
  {
    endpoint: 'open-page',
    source,
    when: 'the payer goes to the page of the wallet',
    by: byDocument,
    request: openPage,
    reply: { status: 201, body: { ...waiting, page_url: 'https://wallet.example/wp_1' } },
    outcome: {
      status: 'pending',
      providerReference: 'wp_1',
      show: { kind: 'redirect', url: 'https://wallet.example/wp_1', surface: 'page' },
    },
  },
  {
    endpoint: 'open-page',
    source,
    when: 'the wallet does not know the payer',
    by: byDocument,
    request: openPage,
    reply: { status: 422, body: { code: 'payer_not_known' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'payer_not_known' } },
  },
  {
    endpoint: 'open-page',
    source,
    when: 'the wallet refuses the payment at once',
    by: byDocument,
    request: openPage,
    reply: { status: 201, body: { ...waiting, status: 'no_money' } },
    outcome: { status: 'declined', kind: 'soft', code: 'insufficient_funds', providerReference: 'wp_1' },
  },
  shown(
    'widget',
    'open-widget',
    'widget',
    { widget_url: 'https://wallet.example/w/wp_1' },
    { kind: 'redirect', url: 'https://wallet.example/w/wp_1', surface: 'widget' },
  ),
  shown(
    'app',
    'open-app',
    'app',
    { app_url: 'upi://pay?pa=shop@exampleupi&cu=INR' },
    { kind: 'redirect', url: 'upi://pay?pa=shop@exampleupi&cu=INR', surface: 'app' },
  ),
  shown('qr', 'open-code', 'code', { code_text: 'WALLET:wp_1' }, { kind: 'qr', content: 'WALLET:wp_1' }),
  shown(
    'payment-details',
    'open-data',
    'data',
    { pay_with: [{ name: 'Receiver', value: 'Corner shop' }] },
    { kind: 'payment-details', details: [{ label: 'Receiver', value: 'Corner shop', copy: true }] },
  ),
  ...STATUSES.map(([word, outcome]): Golden => ({
    endpoint: 'get-payment',
    source,
    when: `the payment is ${word}`,
    by: status,
    request: { method: 'GET', path: '/payments/{provider_reference}', headers },
    reply: { status: 200, body: { ...waiting, payment_id: '{provider_reference}', status: word } },
    outcome,
  })),
  {
    endpoint: 'find-payment',
    source,
    when: 'the gateway never saw the request',
    by: status,
    request: { method: 'GET', path: '/payments/ours/{reference}', headers },
    reply: { status: 404, body: { code: 'not_found' } },
    outcome: { status: 'unknown', provider: { code: 'not_found' } },
  },
];
