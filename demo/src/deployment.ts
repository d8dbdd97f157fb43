import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CheckoutConfig } from '@railyard/checkout';
import {
  acquirerConnector,
  adyenConnector,
  cardHosted,
  govukPayConnector,
  card,
  cardRedirect,
  googlePay,
  stripeConnector,
} from '@railyard/connector-card';
import {
  acquirerSimulation,
  adyenSimulation,
  govukPaySimulation,
  stripeSimulation,
} from '@railyard/connector-card/simulation';
import { googlePayWallet } from '@railyard/connector-card/wallet-tokens';
import { addressesConnector, bitcoinBtcpay, btcpayConnector, cryptoReceive } from '@railyard/connector-crypto';
import { addressesSimulation, btcpaySimulation } from '@railyard/connector-crypto/simulation';
import {
  gsmaConnector,
  hubConnector,
  mobileMoney,
  mobileMoneyGsma,
  mobileMoneyPaystack,
  paystackConnector,
} from '@railyard/connector-mobile-money';
import { gsmaSimulation, hubSimulation, paystackSimulation } from '@railyard/connector-mobile-money/simulation';
import { obUkConnector, openBanking } from '@railyard/connector-open-banking';
import { obUkSimulation } from '@railyard/connector-open-banking/simulation';
import {
  bcbConnector,
  collectionConnector,
  instantConnector,
  payerIdConnector,
  pix,
  pixCharge,
  pixCollection,
  pixDocument,
  pixPersonal,
} from '@railyard/connector-pix';
import {
  bcbSimulation,
  collectionSimulation,
  instantSimulation,
  payerIdSimulation,
} from '@railyard/connector-pix/simulation';
import { cashVoucher, conektaConnector, spei } from '@railyard/connector-voucher';
import { conektaSimulation } from '@railyard/connector-voucher/simulation';
import { paypalConnector, redirect, vippsConnector, walletVipps } from '@railyard/connector-wallet';
import { paypalSimulation, vippsSimulation } from '@railyard/connector-wallet/simulation';
import type { Connector, Method } from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';
import type { Scenario } from '@railyard/simulator';
import * as z from 'zod';
import { merchant } from './merchant.ts';

export interface Ports {
  readonly checkout: number;
  readonly shop: number;
  readonly simulator: number;
}

const aliasFile = z.object({ aliases: z.record(z.string(), z.string()), titles: z.record(z.string(), z.string()) });

/** Names for methods that several accounts of the demo have. */
const TITLES: Readonly<Record<string, string>> = {
  'pix-charge': 'Pix, API Pix',
  'card-adyen': 'Card, Adyen',
  'card-stripe': 'Card, Stripe',
  'card-hosted': 'Card, GOV.UK Pay',
  'mobile-money-gsma': 'Mobile money, GSMA',
  'mobile-money-paystack': 'Mobile money, Paystack',
};

interface Account {
  readonly id: string;
  readonly connector: Connector;
  readonly simulation: Simulation;
  readonly settings: Readonly<Record<string, string>>;
  readonly methods: readonly Method[];
  readonly defaults: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
  /** The settings that hold addresses of the provider, where another than `base_url` does. */
  readonly addresses?: (provider: string) => Readonly<Record<string, string>>;
  /** The key under which the merchant offers its method, where another account has the method's own. */
  readonly offeredAs?: string;
  /** How payments begin at the provider, where another way than waiting fits it. */
  readonly scenario?: Scenario;
  /** Added to the address for notifications that a merchant registers at the provider. */
  readonly notifiesAt?: string;
}

/** The provider accounts of the demo: for each, the connector, what plays its provider, credentials, and what it supplies for methods. */
const accounts: readonly Account[] = [
  {
    id: 'pix-instant',
    connector: instantConnector,
    simulation: instantSimulation,
    settings: { api_key: 'demo-api-key', webhook_secret: 'demo-webhook-secret' },
    methods: [pix],
    defaults: { [pix.key]: { source_account_number: '123456', branch_identifier: '0001' } },
  },
  {
    id: 'pix-collection',
    connector: collectionConnector,
    simulation: collectionSimulation,
    settings: { api_key: 'demo-api-key' },
    methods: [pixCollection],
    defaults: { [pixCollection.key]: { merchantType: 'retail', merchantName: merchant.name, accountId: 'account-1' } },
  },
  {
    id: 'pix-payer-id',
    connector: payerIdConnector,
    simulation: payerIdSimulation,
    settings: { client_id: 'demo', client_secret: 'demo-client-secret', notification_token: 'demo-notification-token' },
    methods: [pixDocument, pixPersonal],
    defaults: {},
  },
  {
    id: 'pix-bcb',
    connector: bcbConnector,
    simulation: bcbSimulation,
    settings: { client_id: 'demo', client_secret: 'demo-client-secret', chave: 'loja@example.com' },
    methods: [pixCharge],
    defaults: {},
    // Its token comes from an address of its own, and its notifications go to the registered one and `/pix`.
    addresses: (base_url) => ({ base_url, oauth_url: base_url }),
    notifiesAt: '/pix',
  },
  {
    id: 'conekta',
    connector: conektaConnector,
    simulation: conektaSimulation,
    settings: { api_key: 'demo-api-key' },
    methods: [cashVoucher, spei],
    defaults: {},
  },
  {
    id: 'mobile-money-gsma',
    connector: gsmaConnector,
    simulation: gsmaSimulation,
    settings: { consumerKey: 'demo', consumerSecret: 'demo-secret', apiKey: 'demo-api-key', party_value: '2999' },
    methods: [mobileMoneyGsma],
    defaults: {},
    addresses: (base_url) => ({ base_url, oauth_url: base_url }),
  },
  {
    id: 'mobile-money-paystack',
    connector: paystackConnector,
    simulation: paystackSimulation,
    settings: { secret_key: 'sk_test_of_the_demo' },
    methods: [mobileMoneyPaystack],
    defaults: {},
  },
  {
    id: 'mobile-money-hub',
    connector: hubConnector,
    simulation: hubSimulation,
    settings: { api_key: 'demo-api-key', webhook_secret: 'demo-webhook-secret' },
    methods: [mobileMoney],
    defaults: {},
  },
  {
    id: 'crypto-addresses',
    connector: addressesConnector,
    simulation: addressesSimulation,
    settings: { api_key: 'demo-api-key', webhook_secret: 'demo-webhook-secret' },
    methods: [cryptoReceive],
    defaults: {},
  },
  {
    id: 'bitcoin-btcpay',
    connector: btcpayConnector,
    simulation: btcpaySimulation,
    settings: { api_key: 'demo-api-key', store_id: 'demo-store', webhook_secret: 'demo-webhook-secret' },
    methods: [bitcoinBtcpay],
    defaults: {},
  },
  {
    id: 'ob-uk',
    connector: obUkConnector,
    simulation: obUkSimulation,
    settings: {
      issuer: 'https://bank.example',
      client_id: 'demo',
      signing_key: generateKeyPairSync('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { format: 'pem', type: 'spki' },
        privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
      }).privateKey,
      kid: 'demo-key',
      signature_issuer: 'demo-organisation/demo-software',
    },
    methods: [openBanking],
    defaults: {},
    // The bank has a page to which the payer is sent, and an address for tokens.
    addresses: (base_url) => ({
      base_url,
      authorization_url: new URL('/', base_url).href,
      oauth_url: `${base_url}/token`,
      jwks_uri: `${base_url}/jwks`,
    }),
  },
  {
    id: 'card-adyen',
    connector: adyenConnector,
    simulation: adyenSimulation,
    settings: {
      api_key: 'demo-api-key',
      merchant_account: 'RailyardCoffee',
      hmac_key: '5261696c796172642d436f6666656521',
    },
    methods: [card],
    defaults: { [card.key]: { sets: ['descriptor'] } },
    scenario: 'settled',
    offeredAs: 'card-adyen',
  },
  {
    id: 'card-stripe',
    connector: stripeConnector,
    simulation: stripeSimulation,
    settings: { secret_key: 'demo-secret-key', webhook_secret: 'demo-signing-secret' },
    methods: [card],
    defaults: { [card.key]: { sets: ['descriptor'] } },
    scenario: 'settled',
    offeredAs: 'card-stripe',
  },
  {
    id: 'paypal',
    connector: paypalConnector,
    simulation: paypalSimulation,
    settings: { client_id: 'demo', client_secret: 'demo-client-secret', webhook_id: 'demo-webhook' },
    methods: [redirect],
    defaults: {},
  },
  {
    id: 'govuk-pay',
    connector: govukPayConnector,
    simulation: govukPaySimulation,
    settings: { api_key: 'api_test_demo', webhook_secret: 'demo-webhook-secret' },
    methods: [cardHosted],
    defaults: {},
  },
  {
    id: 'vipps',
    connector: vippsConnector,
    simulation: vippsSimulation,
    settings: {
      merchant_serial_number: '123456',
      client_id: 'demo',
      client_secret: 'demo-client-secret',
      subscription_key: 'demo-subscription-key',
      webhook_secret: 'demo-webhook-secret',
    },
    methods: [walletVipps],
    defaults: {},
  },
  {
    id: 'cards',
    connector: acquirerConnector,
    simulation: acquirerSimulation,
    settings: { api_key: 'demo-api-key', webhook_secret: 'demo-notification-secret' },
    methods: [card, cardRedirect, googlePay],
    defaults: { [googlePay.key]: { card_flow: 'decrypted' } },
  },
];

const onlyBase = (base_url: string) => ({ base_url });

/**
 * The demo's checkout and the providers that the simulator plays for it, with one set of settings for both.
 *
 * @param callbackUrl where the checkout sends the merchant's callbacks
 */
export function deployment(ports: Ports, dataDir: string, callbackUrl: string) {
  const mids = accounts.map(({ settings, addresses = onlyBase, notifiesAt = '', ...account }) => {
    const provider = `http://127.0.0.1:${ports.simulator}/${account.id}`;
    return {
      ...account,
      settings: { ...settings, ...addresses(provider) },
      notifyUrl: `http://127.0.0.1:${ports.checkout}/notify/${account.id}${notifiesAt}`,
    };
  });
  const offers = mids.flatMap(({ id, methods, offeredAs }) =>
    methods.map(({ key: method }) => {
      const key = offeredAs ?? method;
      const title = TITLES[key];
      return { key, method, mid: id, ...(title !== undefined && { title }) };
    }),
  );
  const checkout: CheckoutConfig = {
    publicUrl: `http://127.0.0.1:${ports.checkout}`,
    port: ports.checkout,
    dataDir,
    // The demo's shop listens on this machine.
    callbackNetwork: 'any',
    connectors: mids.map((each) => each.connector),
    wallets: [googlePayWallet],
    mids: mids.map(({ id, connector, settings, defaults }) => ({ id, connector: connector.id, settings, defaults })),
    merchants: [
      {
        ...merchant,
        requestKeys: merchant.requestKeys.map((key) => ({ ...key, permissions: [...key.permissions] })),
        moneyOut: true,
        // Requests of recorded clients, which only know the hash, can be tried against the demo. They come from this machine.
        legacySignatures: 'money-out',
        legacyAddresses: ['127.0.0.0/8', '::1'],
        callbackUrl,
        // The shop's page with payment fields.
        fieldOrigins: [`http://127.0.0.1:${ports.shop}`],
        test: {
          ...merchant.test,
          requestKeys: merchant.test.requestKeys.map((key) => ({ ...key, permissions: [...key.permissions] })),
          callbackUrl: `http://127.0.0.1:${ports.shop}/callbacks`,
        },
        wallets: {
          [googlePay.key]: {
            environment: 'TEST',
            allowed_auth_methods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
            supported_networks: ['VISA', 'MASTERCARD'],
            merchant_identifier: '12345678901234567890',
            private_key: generateKeyPairSync('ec', {
              namedCurve: 'P-256',
              publicKeyEncoding: { format: 'pem', type: 'spki' },
              privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
            }).privateKey,
          },
        },
        methods: [...offers, ...aliases(new Map(offers.map((each) => [each.key, each.mid])))],
      },
    ],
  };
  const simulated = mids.map(({ id, connector, simulation, settings, notifyUrl }) => ({
    connector,
    simulation,
    settings: connector.settings.parse(settings),
    mid: id,
    notifyUrl,
  }));
  const scenarios = mids.flatMap(({ connector, scenario }) =>
    scenario === undefined ? [] : [{ connector: connector.id, scenario }],
  );
  return { checkout, simulated, scenarios };
}

/** The aliases that recorded clients use. */
function aliases(mids: ReadonlyMap<string, string>) {
  const { aliases, titles } = aliasFile.parse(
    JSON.parse(readFileSync(new URL('../aliases.json', import.meta.url), 'utf8')),
  );
  return Object.entries(aliases).map(([key, method]) => {
    const mid = mids.get(method);
    if (mid === undefined)
      throw new Error(`aliases.json: no account of the demo has "${method}", for which "${key}" stands.`);
    const title = titles[key];
    return { key, method, mid, ...(title !== undefined && { title }) };
  });
}
