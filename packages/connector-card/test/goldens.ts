import type { Golden } from '@railyard/conformance';

/** Written from the README's tables, apart from the connector. */
const source = 'packages/connector-card/README.md, Acquirer';

const key = { 'x-api-key': '{settings.api_key}' };
const moving = { ...key, 'idempotency-key': '{key}' };
const card = { number: '4111111111111111', cvv: '737', expiry_month: '01', expiry_year: '2038', holder: 'Ada Example' };
const payer = {
  name: 'Ada Example',
  email: 'ada@example.com',
  birth_date: '1990-01-31',
  phone: '+15550100',
  address: {
    line: 'Main Street 1',
    house_number: '1',
    district: 'Centre',
    city: 'Springfield',
    state: 'CA',
    zip: '90001',
    country: 'US',
  },
  ip: '192.0.2.7',
  browser: {
    user_agent: 'Browser',
    accept: 'text/html',
    language: 'en',
    java_script_enabled: true,
    java_enabled: false,
    color_depth: 24,
    screen_height: 1080,
    screen_width: 1920,
    time_zone_offset: -60,
  },
};
const opening = {
  reference: '{reference}',
  amount: 2500,
  currency: 'USD',
  description: 'Two books',
  notification_url: '{notify_url}',
};
const parameters = { descriptor: 'SHOP BOOKS' };
const sale = { ...opening, card, payer, return_url: '{return_url}', parameters };
const { cvv: _cvv, ...deviceCard } = card;
const { card: _card, ...withoutCard } = sale;
const post = (path: string, body: unknown) => ({ method: 'POST', path, headers: moving, body });
const get = (path: string) => ({ method: 'GET', path, headers: key });

const payment = { id: 'pay_1', reference: '{reference}', amount: 2500, currency: 'USD', response_code: '00' };
const approved = { status: 201, body: { ...payment, status: 'APPROVED' } };
const authorised = { status: 201, body: { ...payment, status: 'AUTHORISED' } };
const settled = { status: 'settled', providerReference: 'pay_1', amount: '25.00 USD' };
const held = { status: 'authorized', providerReference: 'pay_1', amount: '25.00 USD' };
const action = {
  id: 'act_1',
  payment_id: '{provider_reference}',
  reference: '{modification}',
  status: 'APPROVED',
  amount: 2500,
  currency: 'USD',
};
const done = { status: 201, body: action };
const acted = { status: 'settled', providerReference: 'act_1', amount: '25.00 USD' };
const whole = { reference: '{modification}', amount: 2500, currency: 'USD' };

const golden = (
  endpoint: string,
  when: string,
  by: Golden['by'],
  request: Golden['request'],
  reply: Golden['reply'],
  outcome: Golden['outcome'],
): Golden => ({ endpoint, source, when, ...(by && { by }), request, reply, ...(outcome && { outcome }) });

const words = (
  [
    ['PENDING', { status: 'pending' }],
    ['AUTHORISED', { status: 'authorized', amount: '25.00 USD' }],
    ['APPROVED', { status: 'settled', amount: '25.00 USD' }],
    ['DECLINED', { status: 'declined' }],
    ['EXPIRED', { status: 'declined', kind: 'soft' }],
  ] as const
).map(([status, outcome]) =>
  golden(
    'get-payment',
    `the payment is ${status}`,
    { flow: 'status' },
    get('/v1/payments/{provider_reference}'),
    { status: 200, body: { ...payment, id: '{provider_reference}', status } },
    outcome,
  ),
);

export const goldens: readonly Golden[] = [
  golden('create-sale', 'a sale is approved', { sample: 'purchase' }, post('/v1/sales', sale), approved, settled),
  golden(
    'create-sale',
    'a sale is declined for want of money',
    { sample: 'purchase' },
    post('/v1/sales', sale),
    { status: 402, body: { ...payment, status: 'DECLINED', response_code: '51', response_message: 'Not enough' } },
    { status: 'declined', kind: 'soft', provider: { status: 'DECLINED', code: '51', message: 'Not enough' } },
  ),
  golden(
    'create-sale',
    'the payer chose a network of a co-branded card',
    { sample: 'co-branded' },
    post('/v1/sales', { ...sale, card: { ...card, network: 'cartes_bancaires' } }),
    approved,
    settled,
  ),
  golden(
    'create-sale',
    'the payer has to prove who they are',
    { sample: 'challenge' },
    post('/v1/sales', { ...sale, card: { ...card, expiry_month: '05' } }),
    {
      status: 201,
      body: {
        ...payment,
        status: 'CHALLENGE',
        action: { type: 'three_d_secure', url: 'https://acs.example/', fields: { creq: 'e30' } },
      },
    },
    {
      nextAction: {
        kind: 'visit',
        url: 'https://acs.example/',
        method: 'POST',
        fields: { creq: 'e30' },
        reference: 'pay_1',
      },
    },
  ),
  golden(
    'create-sale',
    'the payer was authenticated by the merchant',
    { sample: 'authenticated' },
    post('/v1/sales', {
      ...sale,
      card: { ...card, expiry_month: '05' },
      three_d_secure: {
        cryptogram: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
        server_transaction_id: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
        ds_transaction_id: 'd65e93c3-35ab-41ba-b307-767bfc19eae3',
        acs_transaction_id: 'a1b2c3d4-0000-4000-8000-000000000000',
        xid: 'MDAwMDAwMDAwMDEyMzQ1Njc4OTA=',
        status: 'Y',
        status_reason: '17',
        eci: '05',
        version: '2.2.0',
        flow: 'Challenge',
      },
    }),
    approved,
    settled,
  ),
  golden(
    'create-authorization',
    'money is held',
    { sample: 'hold' },
    post('/v1/authorizations', sale),
    authorised,
    held,
  ),
  golden('create-debit', 'a debit is approved', { flow: 'debit' }, post('/v1/debits', sale), approved, settled),
  golden(
    'create-verification',
    'a card is checked with nothing',
    { sample: 'verification' },
    post('/v1/verifications', { ...sale, amount: 0, stored_credential: { use: 'first', reason: 'recurring' } }),
    { status: 201, body: { ...payment, amount: 0, status: 'APPROVED', agreement_id: 'agr_1' } },
    { status: 'settled', amount: '0.00 USD', agreement: { agreement: 'agr_1' } },
  ),
  golden(
    'create-payout',
    'money is sent to a card',
    { flow: 'credit' },
    post('/v1/payouts', {
      ...opening,
      card: { number: '4601541833776519', expiry_month: '01', expiry_year: '2038' },
      payee: { name: 'Ada Example' },
    }),
    approved,
    settled,
  ),
  golden(
    'create-transfer',
    'money is sent from card to card',
    { flow: 'transfer' },
    post('/v1/transfers', { ...sale, payee: { card: { number: '5555555555554444' }, name: 'Ada Example' } }),
    approved,
    settled,
  ),
  golden(
    'create-wallet-payment',
    'the payer is sent to the wallet',
    { method: 'card-redirect', sample: 'purchase' },
    post('/v1/wallet-payments', {
      ...opening,
      wallet_type: 'WALLET_A',
      subdomain: 'shop',
      payer,
      return_url: '{return_url}',
    }),
    {
      status: 201,
      body: { ...payment, status: 'CHALLENGE', action: { type: 'redirect', url: 'https://wallet.example/1' } },
    },
    { nextAction: { kind: 'visit', url: 'https://wallet.example/1', method: 'GET', reference: 'pay_1' } },
  ),
  golden(
    'create-sale',
    'the payer pays with a number of a device',
    { method: 'apple-pay', sample: 'purchase' },
    post('/v1/sales', {
      ...sale,
      card: deviceCard,
      wallet: { type: 'applepay', pan_type: 'dpan', cryptogram: 'Cryptogram-of-one-payment', eci: '05' },
    }),
    approved,
    settled,
  ),
  golden(
    'create-sale',
    'the acquirer authenticates the payer of a wallet',
    { method: 'google-pay', sample: 'purchase' },
    post('/v1/sales', {
      ...sale,
      card: deviceCard,
      wallet: { type: 'googlepay', pan_type: 'fpan', three_d_secure: 'acquirer' },
    }),
    approved,
    settled,
  ),
  golden(
    'create-sale',
    'the acquirer opens the wallet’s token',
    { method: 'google-pay', sample: 'virtual' },
    post('/v1/sales', { ...withoutCard, wallet: { type: 'googlepay', token: '{"signature":"of-a-sealed-token"}' } }),
    approved,
    settled,
  ),
  golden(
    'create-authorization',
    'money is held by a wallet',
    { method: 'apple-pay', sample: 'hold' },
    post('/v1/authorizations', {
      ...sale,
      card: deviceCard,
      wallet: { type: 'applepay', pan_type: 'dpan', cryptogram: 'Cryptogram-of-one-payment', eci: '05' },
    }),
    authorised,
    held,
  ),
  golden(
    'charge-agreement',
    'a chain is charged again',
    { sample: 'chain', flow: 'recurring' },
    post('/v1/agreements/agr_1/charges', { ...opening, stored_credential: { use: 'later', initiator: 'merchant' } }),
    approved,
    settled,
  ),
  golden(
    'authorize-agreement',
    'money of a chain is held',
    { sample: 'chain', flow: 'recurring' },
    post('/v1/agreements/agr_1/authorizations', {
      ...opening,
      stored_credential: { use: 'later', initiator: 'merchant' },
    }),
    authorised,
    held,
  ),
  golden(
    'complete-payment',
    'the payer is back from the challenge',
    { sample: 'challenge', flow: 'purchase' },
    post('/v1/payments/pay_1/complete', { cres: 'brought-back' }),
    approved,
    settled,
  ),
  golden(
    'capture-payment',
    'a hold is captured',
    { flow: 'capture' },
    post('/v1/payments/{provider_reference}/captures', whole),
    done,
    acted,
  ),
  golden(
    'refund-payment',
    'money is given back',
    { flow: 'refund' },
    post('/v1/payments/{provider_reference}/refunds', whole),
    done,
    acted,
  ),
  golden(
    'void-payment',
    'money is taken back before it is cleared',
    { flow: 'void' },
    post('/v1/payments/{provider_reference}/voids', { reference: '{modification}' }),
    done,
    acted,
  ),
  golden(
    'reverse-authorization',
    'a hold is let go of',
    { flow: 'void' },
    post('/v1/payments/{provider_reference}/reversals', { reference: '{modification}' }),
    done,
    acted,
  ),
  ...words,
  golden(
    'find-payment',
    'the reply was lost, and the acquirer never saw the request',
    { flow: 'status' },
    get('/v1/payments/by-reference/{reference}'),
    { status: 404, body: { code: 'not_found', message: 'No such payment.' } },
    { status: 'unknown' },
  ),
  golden(
    'find-action',
    'the reply to a refund was lost',
    { flow: 'modificationStatus' },
    get('/v1/actions/by-reference/{modification}'),
    { status: 200, body: action },
    acted,
  ),
  golden(
    'get-action',
    'a refund waits',
    { flow: 'modificationStatus' },
    get('/v1/actions/modification-1'),
    { status: 200, body: { ...action, id: 'modification-1', status: 'PENDING' } },
    { status: 'pending', providerReference: 'modification-1' },
  ),
];
