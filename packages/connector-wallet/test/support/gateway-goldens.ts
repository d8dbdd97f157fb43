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

interface Opened {
  readonly show: string;
  readonly payer?: object;
  readonly currency?: string;
}

/** The payer of a method is shown what the reply says. */
const shown = (
  method: string,
  endpoint: string,
  { show, payer = {}, currency = 'USD' }: Opened,
  said: object,
  seen: object,
): Golden => ({
  endpoint,
  source,
  when: `the payer of ${method} is shown how to pay: ${Object.keys(said).join(' ')}`,
  by: { method, flow: 'purchase' },
  request: asked(method, show, payer, currency),
  reply: { status: 201, body: { ...waiting, currency, ...said } },
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

/** With the challenge of the golden before it. */
const openChallenged = (() => {
  const { body, ...request } = asked('wallet-payin', 'page', {
    first_name: 'Ana Marija',
    last_name: 'Horvat',
    email: 'ana@example.com',
    phone: '+385911234567',
    country: 'HR',
    address: 'Ilica 1',
    city: 'Zagreb',
    zip: '10000',
  });
  return { ...request, body: { ...body, challenge_id: 'ch_1' } };
})();
const challenged = { method: 'wallet-payin', flow: 'purchase' } as const;
const byDocument = { method: 'document-redirect', flow: 'purchase' } as const;
const openPage = asked('document-redirect', 'page', { document_number: '1701234567' });
const status = { method: 'wallet-payin', flow: 'status' } as const;

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
    { show: 'widget' },
    { widget_url: 'https://wallet.example/w/wp_1' },
    { kind: 'redirect', url: 'https://wallet.example/w/wp_1', surface: 'widget' },
  ),
  shown(
    'app',
    'open-app',
    { show: 'app' },
    { app_url: 'upi://pay?pa=shop@exampleupi&cu=INR' },
    { kind: 'redirect', url: 'upi://pay?pa=shop@exampleupi&cu=INR', surface: 'app' },
  ),
  shown('qr', 'open-code', { show: 'code' }, { code_text: 'WALLET:wp_1' }, { kind: 'qr', content: 'WALLET:wp_1' }),
  shown(
    'payment-details',
    'open-data',
    { show: 'data' },
    { pay_with: [{ name: 'Receiver', value: 'Corner shop' }] },
    { kind: 'payment-details', details: [{ label: 'Receiver', value: 'Corner shop', copy: true }] },
  ),
  shown(
    'country-fields',
    'open-page',
    { show: 'page', payer: { personalId: '529.982.247-25', country: 'BR' } },
    { page_url: 'https://wallet.example/wp_1' },
    { kind: 'redirect', url: 'https://wallet.example/wp_1', surface: 'page' },
  ),
  shown(
    'wallet-co',
    'open-page',
    { show: 'page', payer: { personal_id: '1020304050' }, currency: 'COP' },
    { page_url: 'https://wallet.example/wp_1' },
    { kind: 'redirect', url: 'https://wallet.example/wp_1', surface: 'page' },
  ),
  {
    endpoint: 'ask-challenge',
    source,
    when: 'a challenge is asked for',
    by: challenged,
    request: {
      method: 'POST',
      path: '/challenges',
      headers,
      body: { our_id: '{reference}', amount: '25.00', currency: 'USD' },
    },
    reply: { status: 200, body: { challenge_id: 'ch_1' } },
  },
  {
    endpoint: 'open-page',
    source,
    when: 'the payer goes to the page of the wallet after a challenge',
    by: challenged,
    request: openChallenged,
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
    when: 'the challenge is too old',
    by: challenged,
    request: openChallenged,
    reply: { status: 422, body: { code: 'challenge_not_valid' } },
    outcome: { status: 'declined', kind: 'soft', code: 'timed_out' },
  },
  shown(
    'upi',
    'ask-payer',
    { show: 'request', payer: { upi_id: 'abc@ybl' }, currency: 'INR' },
    { prompt: 'Approve it.' },
    { kind: 'confirm-on-device', channel: 'app', message: 'Approve it.' },
  ),
  shown(
    'upi-address',
    'ask-payer',
    { show: 'request', payer: { upiAddress: 'abc@ybl' }, currency: 'INR' },
    { app_url: 'upi://pay?pa=shop@exampleupi&cu=INR' },
    { kind: 'redirect', url: 'upi://pay?pa=shop@exampleupi&cu=INR', surface: 'app' },
  ),
  shown(
    'phone-wallet',
    'ask-payer',
    { show: 'request', payer: { phone: '+573001234567' } },
    { prompt: 'Approve it.' },
    { kind: 'confirm-on-device', channel: 'app', message: 'Approve it.' },
  ),
  shown(
    'link-email',
    'send-link',
    {
      show: 'link',
      payer: {
        SecurityQuestion: 'Where do we meet?',
        SecurityQuestionAnswer: 'library',
        email: 'ada@example.com',
      },
    },
    { link_sent_by: 'email' },
    { kind: 'link-sent', channel: 'email' },
  ),
  shown(
    'link-sms',
    'send-link',
    { show: 'link', payer: { phone: '+573001234567' } },
    { link_sent_by: 'sms' },
    { kind: 'link-sent', channel: 'sms' },
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
    when: 'the reply that opened the payment was lost',
    by: status,
    request: { method: 'GET', path: '/payments/ours/{reference}', headers },
    reply: { status: 200, body: { ...waiting, page_url: 'https://wallet.example/wp_1' } },
    outcome: {
      status: 'pending',
      providerReference: 'wp_1',
      show: { kind: 'redirect', url: 'https://wallet.example/wp_1', surface: 'page' },
    },
  },
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
