import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adyenConnector, stripeConnector } from '@railyard/connector-card';
import { adyenSimulation, stripeSimulation } from '@railyard/connector-card/simulation';
import { btcpayConnector } from '@railyard/connector-crypto';
import { btcpaySimulation } from '@railyard/connector-crypto/simulation';
import { gsmaConnector, paystackConnector } from '@railyard/connector-mobile-money';
import { gsmaSimulation, paystackSimulation } from '@railyard/connector-mobile-money/simulation';
import { obUkConnector } from '@railyard/connector-open-banking';
import { obUkSimulation } from '@railyard/connector-open-banking/simulation';
import { bcbConnector } from '@railyard/connector-pix';
import { bcbSimulation } from '@railyard/connector-pix/simulation';
import { conektaConnector } from '@railyard/connector-voucher';
import { conektaSimulation } from '@railyard/connector-voucher/simulation';
import { paypalConnector } from '@railyard/connector-wallet';
import { paypalSimulation } from '@railyard/connector-wallet/simulation';
import type { Connector } from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';
import { createSimulator } from '@railyard/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { jsonInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

interface Row {
  readonly provider: string;
  readonly connector: Connector;
  readonly simulation: Simulation;
  /** From where a user imports the connector. */
  readonly named: { readonly name: string; readonly from: string };
  /** Of an account whose provider is at this address. */
  readonly settings: (url: string) => Readonly<Record<string, string>>;
  /** Where a token is fetched with the client and its secret, for the providers that want one. */
  readonly token?: { readonly path: string; readonly client: string; readonly secret: string };
  /** No part of the golden exchange, the token neither. */
  readonly secrets: readonly string[];
  readonly endpoint: string;
  readonly request: {
    readonly method?: 'PUT';
    readonly path: string;
    readonly headers: (token: string) => Readonly<Record<string, string>>;
    readonly body: unknown;
  };
  /** The recorded parts of the body and of the reply. */
  readonly sent: unknown;
  readonly reply: unknown;
  /** The payment that the provider has afterwards, unless the request makes none. */
  readonly paid?: { readonly amount: string; readonly currency: string };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signing_key = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
const hmac_key = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
const order = {
  amount: { currency_code: 'USD', value: '25.00' },
  custom_id: '{reference}',
};

const ROWS: readonly Row[] = [
  {
    provider: 'Adyen',
    connector: adyenConnector,
    simulation: adyenSimulation,
    named: { name: 'adyenConnector', from: '@railyard/connector-card' },
    settings: (base_url) => ({ base_url, api_key: 'the-api-key', merchant_account: 'ExampleShopECOM', hmac_key }),
    secrets: ['the-api-key', hmac_key],
    endpoint: 'create-payment',
    request: {
      path: '/payments',
      headers: () => ({ 'x-api-key': 'the-api-key', 'idempotency-key': '{key}' }),
      body: {
        merchantAccount: 'ExampleShopECOM',
        reference: '{reference}',
        amount: { currency: 'USD', value: 2500 },
        captureDelayHours: 0,
        paymentMethod: {
          type: 'scheme',
          number: '4111111111111111',
          cvc: '737',
          expiryMonth: '03',
          expiryYear: '2030',
          holderName: 'Ada Example',
        },
        returnUrl: 'https://pay.example/back',
      },
    },
    sent: { amount: { currency: 'USD', value: 2500 } },
    reply: { status: 200, body: { resultCode: 'Authorised' } },
    paid: { amount: '25.00', currency: 'USD' },
  },
  {
    provider: 'Stripe',
    connector: stripeConnector,
    simulation: stripeSimulation,
    named: { name: 'stripeConnector', from: '@railyard/connector-card' },
    settings: (base_url) => ({ base_url, secret_key: 'the-secret-key', webhook_secret: 'the-signing-secret' }),
    secrets: ['the-secret-key', 'the-signing-secret'],
    endpoint: 'create-payment-method',
    request: {
      path: '/v1/payment_methods',
      headers: () => ({
        ...bearer('the-secret-key'),
        'stripe-version': '2026-10-28.endive',
        'idempotency-key': '{key}',
        'content-type': 'application/x-www-form-urlencoded',
      }),
      body: new URLSearchParams({
        type: 'card',
        'card[number]': '4111111111111111',
        'card[cvc]': '123',
        'card[exp_month]': '12',
        'card[exp_year]': '2034',
      }).toString(),
    },
    sent: { type: 'card' },
    reply: { status: 200, body: { object: 'payment_method' } },
  },
  {
    provider: 'a provider of the GSMA Mobile Money API',
    connector: gsmaConnector,
    simulation: gsmaSimulation,
    named: { name: 'gsmaConnector', from: '@railyard/connector-mobile-money' },
    settings: (url) => ({
      base_url: url,
      oauth_url: url,
      consumerKey: 'the-consumer',
      consumerSecret: 'the-consumer-secret',
      apiKey: 'the-api-key',
      party_value: '2999',
    }),
    token: { path: '/accesstoken', client: 'the-consumer', secret: 'the-consumer-secret' },
    secrets: ['the-consumer-secret', 'the-api-key'],
    endpoint: 'create-transaction',
    request: {
      path: '/transactions/type/merchantpay',
      headers: (token) => ({ ...bearer(token), 'x-api-key': 'the-api-key', 'x-correlationid': '{reference}' }),
      body: {
        requestingOrganisationTransactionReference: '{reference}',
        amount: '25',
        currency: 'KES',
        debitParty: [{ key: 'msisdn', value: '+254712345678' }],
        creditParty: [{ key: 'accountid', value: '2999' }],
      },
    },
    sent: { amount: '25', currency: 'KES' },
    reply: { status: 202, body: { status: 'pending' } },
    paid: { amount: '25.00', currency: 'KES' },
  },
  {
    provider: 'Paystack',
    connector: paystackConnector,
    simulation: paystackSimulation,
    named: { name: 'paystackConnector', from: '@railyard/connector-mobile-money' },
    settings: (base_url) => ({ base_url, secret_key: 'sk_test_of_the_account' }),
    secrets: ['sk_test_of_the_account'],
    endpoint: 'create-charge',
    request: {
      path: '/charge',
      headers: () => bearer('sk_test_of_the_account'),
      body: {
        reference: '{reference}',
        amount: 2500,
        currency: 'GHS',
        email: 'ama@example.com',
        mobile_money: { phone: '0551234987', provider: 'mtn' },
      },
    },
    sent: { amount: 2500, currency: 'GHS' },
    reply: { status: 200, body: { data: { status: 'pay_offline', amount: 2500 } } },
    paid: { amount: '25.00', currency: 'GHS' },
  },
  {
    provider: 'a BTCPay Server',
    connector: btcpayConnector,
    simulation: btcpaySimulation,
    named: { name: 'btcpayConnector', from: '@railyard/connector-crypto' },
    settings: (base_url) => ({ base_url, api_key: 'the-api-key', store_id: 'the-store', webhook_secret: 'the-secret' }),
    secrets: ['the-api-key', 'the-secret'],
    endpoint: 'create-invoice',
    request: {
      path: '/api/v1/stores/the-store/invoices',
      headers: () => ({ authorization: 'token the-api-key' }),
      body: {
        amount: '25.00',
        currency: 'EUR',
        metadata: { orderId: '{reference}', itemDesc: 'Two books' },
        checkout: { paymentMethods: ['BTC-CHAIN'] },
      },
    },
    sent: { amount: '25.00', currency: 'EUR' },
    reply: { status: 200, body: { status: 'New', amount: '25.00' } },
    paid: { amount: '25.00', currency: 'EUR' },
  },
  {
    provider: 'a bank of Open Banking UK',
    connector: obUkConnector,
    simulation: obUkSimulation,
    named: { name: 'obUkConnector', from: '@railyard/connector-open-banking' },
    settings: (url) => ({
      base_url: url,
      authorization_url: url,
      oauth_url: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      issuer: 'https://bank.example',
      client_id: 'the-client',
      signing_key,
      kid: 'the-key-id',
      signature_issuer: '0015800001041RHAAY/the-software',
    }),
    secrets: ['a-token-of-the-bank', signing_key],
    endpoint: 'create-consent',
    request: {
      path: '/domestic-payment-consents',
      headers: () => ({ ...bearer('a-token-of-the-bank'), 'x-idempotency-key': '{key}' }),
      body: {
        Data: {
          Initiation: {
            InstructionIdentification: '{reference}',
            EndToEndIdentification: '{reference}',
            InstructedAmount: { Amount: '25.00', Currency: 'GBP' },
            CreditorAccount: {
              SchemeName: 'UK.OBIE.SortCodeAccountNumber',
              Identification: '04000412345678',
              Name: 'Ann Lee',
            },
            RemittanceInformation: { Unstructured: ['Two books'] },
          },
        },
        Risk: { PaymentContextCode: 'EcommerceMerchantInitiatedPayment' },
      },
    },
    sent: { Data: { Initiation: { InstructedAmount: { Amount: '25.00', Currency: 'GBP' } } } },
    reply: { status: 201, body: { Data: { Status: 'AWAU' } } },
    paid: { amount: '25.00', currency: 'GBP' },
  },
  {
    provider: 'a bank of the API Pix',
    connector: bcbConnector,
    simulation: bcbSimulation,
    named: { name: 'bcbConnector', from: '@railyard/connector-pix' },
    settings: (url) => ({
      base_url: url,
      oauth_url: url,
      client_id: 'the-client',
      client_secret: 'secret-of-the-client',
      chave: 'loja@example.com',
    }),
    secrets: ['secret-of-the-client', 'token-of-the-bank'],
    endpoint: 'put-cob',
    request: {
      method: 'PUT',
      path: '/cob/{compact_reference}',
      headers: () => bearer('token-of-the-bank'),
      body: { calendario: { expiracao: 600 }, valor: { original: '25.00' }, chave: 'loja@example.com' },
    },
    sent: { valor: { original: '25.00' } },
    reply: { status: 201, body: { txid: '{compact_reference}', status: 'ATIVA' } },
    paid: { amount: '25.00', currency: 'BRL' },
  },
  {
    provider: 'Conekta',
    connector: conektaConnector,
    simulation: conektaSimulation,
    named: { name: 'conektaConnector', from: '@railyard/connector-voucher' },
    settings: (base_url) => ({ base_url, api_key: 'the-private-key' }),
    secrets: ['the-private-key'],
    endpoint: 'create-cash-order',
    request: {
      path: '/orders',
      headers: () => bearer('the-private-key'),
      body: {
        currency: 'MXN',
        customer_info: { name: 'Ana Torres', email: 'ana@example.com', phone: '+525522997233' },
        line_items: [{ name: 'Two books', quantity: 1, unit_price: 2500 }],
        charges: [{ payment_method: { type: 'cash' }, reference_id: '{reference}' }],
      },
    },
    sent: { charges: [{ reference_id: '{reference}' }] },
    reply: { status: 200, body: { object: 'order', charges: { data: [{ status: 'pending_payment' }] } } },
    paid: { amount: '25.00', currency: 'MXN' },
  },
  {
    provider: 'PayPal',
    connector: paypalConnector,
    simulation: paypalSimulation,
    named: { name: 'paypalConnector', from: '@railyard/connector-wallet' },
    settings: (base_url) => ({ base_url, client_id: 'the-client', client_secret: 'the-secret', webhook_id: 'WH-1' }),
    token: { path: '/v1/oauth2/token', client: 'the-client', secret: 'the-secret' },
    secrets: ['the-secret'],
    endpoint: 'create-order',
    request: {
      path: '/v2/checkout/orders',
      headers: (token) => ({ ...bearer(token), prefer: 'return=representation', 'paypal-request-id': 'key-1' }),
      body: { intent: 'CAPTURE', purchase_units: [order] },
    },
    sent: { intent: 'CAPTURE', purchase_units: [order] },
    reply: { status: 201, body: { status: 'PAYER_ACTION_REQUIRED' } },
    paid: { amount: '25.00', currency: 'USD' },
  },
];

async function fetchToken(url: string, { path, client, secret }: NonNullable<Row['token']>): Promise<string> {
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token }: { readonly access_token: string } = await reply.json();
  return access_token;
}

/** The simulated provider, and a folder with the connector and the settings of an account there. */
async function prepared({ connector, simulation, named, settings }: Row) {
  const folder = mkdtempSync(fixture('record-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const simulator = await createSimulator({
    connectors: [{ connector, simulation, settings: connector.settings.parse(settings('http://127.0.0.1:1')) }],
    scenario: connector === adyenConnector ? 'settled' : 'manual',
  });
  onTestFinished(() => simulator.close());
  const url = simulator.baseUrl(connector.id);
  const path = (name: string) => join(folder, name);
  writeFileSync(path('settings.json'), JSON.stringify(settings(url)));
  writeFileSync(path('connector.mjs'), `export { ${named.name} } from '${named.from}';\n`);
  const from = ['--connector', path('connector.mjs'), '--settings', path('settings.json')];
  return { url, simulator, path, from };
}

test.each(ROWS)('a request to $provider is recorded against a simulated one, without credentials', async (row) => {
  const { endpoint, request, sent, reply, paid, secrets } = row;
  const { url, simulator, path, from } = await prepared(row);
  const tokens = row.token === undefined ? [] : [await fetchToken(url, row.token)];
  const { method = 'POST', path: address, body } = request;
  const headers = { 'content-type': 'application/json', ...request.headers(tokens[0] ?? '') };
  writeFileSync(path('exchange.json'), JSON.stringify({ request: { method, path: address, headers, body } }));
  const said = ['--source', 'a double', '--when', 'a payment is made', '--out', path('golden.json')];
  const { code, answer } = await jsonInPipe(['record', path('exchange.json'), ...said, ...from]);
  expect({ code, error: answer.error }).toEqual({ code: 0 });

  const text = readFileSync(path('golden.json'), 'utf8');
  expect([...secrets, ...tokens].filter((secret) => text.includes(secret))).toEqual([]);
  expect(JSON.parse(text)).toMatchObject([{ endpoint, request: { method, body: sent }, reply }]);
  expect(simulator.payments()).toMatchObject(paid === undefined ? [] : [paid]);
});

test('an input from which an endpoint cannot build its request is refused, and the request is asked for', async () => {
  const row = ROWS.find(({ connector }) => connector === bcbConnector);
  if (row === undefined) throw new Error('The table has no row of the API Pix.');
  const { path, from } = await prepared(row);
  writeFileSync(path('input.json'), JSON.stringify({ endpoint: 'put-cob', input: { txid: '{compact_reference}' } }));
  expect(await jsonInPipe(['record', path('input.json'), ...from])).toEqual({
    code: 2,
    answer: {
      error: expect.stringMatching(/^put-cob cannot be built from that input \(.+\)\. Give .*\{ "request": … \}\.$/),
    },
  });
});
