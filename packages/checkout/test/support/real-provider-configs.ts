import { generateKeyPairSync } from 'node:crypto';
import { adyenConnector, govukPayConnector, stripeConnector } from '@railyard/connector-card';
import { btcpayConnector } from '@railyard/connector-crypto';
import { gsmaConnector, paystackConnector } from '@railyard/connector-mobile-money';
import { obUkConnector } from '@railyard/connector-open-banking';
import { bcbConnector } from '@railyard/connector-pix';
import { conektaConnector } from '@railyard/connector-voucher';
import { paypalConnector, vippsConnector } from '@railyard/connector-wallet';
import type { Connector } from '@railyard/core';
import type { CheckoutConfig } from '../../src/index.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';

/** An account at a provider that exists, and the merchant that sells by it. */
interface RealProvider {
  readonly connector: Connector;
  readonly mid: string;
  readonly shop: string;
  readonly methods: readonly string[];
  /** The settings of an account whose API is at an address. */
  readonly settings: (url: string) => Readonly<Record<string, unknown>>;
  readonly defaults?: NonNullable<NonNullable<CheckoutConfig['mids']>[number]['defaults']>;
}

const DESCRIPTOR = { card: { sets: ['descriptor'] } };

export const REAL_PROVIDERS = {
  adyen: {
    connector: adyenConnector,
    mid: 'adyen',
    shop: 'Example Shop',
    methods: ['card'],
    settings: (url) => ({
      base_url: url,
      api_key: 'the-api-key-of-adyen',
      merchant_account: 'ExampleShopECOM',
      hmac_key: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
    }),
    defaults: DESCRIPTOR,
  },
  stripe: {
    connector: stripeConnector,
    mid: 'stripe',
    shop: 'Example Shop',
    methods: ['card'],
    settings: (url) => ({
      base_url: url,
      secret_key: 'the-secret-key-of-stripe',
      webhook_secret: 'the-signing-secret-of-stripe',
    }),
    defaults: DESCRIPTOR,
  },
  gsma: {
    connector: gsmaConnector,
    mid: 'gsma',
    shop: 'Duka',
    methods: ['mobile-money-gsma'],
    settings: (url) => ({
      base_url: url,
      oauth_url: url,
      consumerKey: 'the-consumer',
      consumerSecret: 'the-consumer-secret',
      apiKey: 'the-api-key',
      party_value: '2999',
    }),
  },
  paystack: {
    connector: paystackConnector,
    mid: 'ghana',
    shop: 'Makola',
    methods: ['mobile-money-paystack'],
    settings: (url) => ({ base_url: url, secret_key: 'sk_test_of_an_account' }),
  },
  btcpay: {
    connector: btcpayConnector,
    mid: 'store',
    shop: 'Bookshop',
    methods: ['bitcoin-btcpay'],
    settings: (url) => ({
      base_url: url,
      api_key: 'the-api-key',
      store_id: 'store-1',
      webhook_secret: 'a-webhook-secret',
    }),
  },
  'pix-bcb': {
    connector: bcbConnector,
    mid: 'bcb',
    shop: 'Loja Exemplo',
    methods: ['pix-charge'],
    settings: (url) => ({
      base_url: url,
      oauth_url: url,
      client_id: 'the-client',
      client_secret: 'the-client-secret',
      chave: 'loja@example.com',
      expiracao: 600,
    }),
  },
  conekta: {
    connector: conektaConnector,
    mid: 'mexico',
    shop: 'Librería Ejemplo',
    methods: ['cash-voucher', 'spei'],
    settings: (url) => ({ base_url: url, api_key: 'the-private-key', expires_in_hours: 48 }),
  },
  paypal: {
    connector: paypalConnector,
    mid: 'paypal',
    shop: 'Example Shop',
    methods: ['redirect'],
    settings: (url) => ({
      base_url: url,
      client_id: 'the-client',
      client_secret: 'the-secret-of-the-app',
      webhook_id: 'WH-1',
    }),
  },
  'govuk-pay': {
    connector: govukPayConnector,
    mid: 'council',
    shop: 'Library of the council',
    methods: ['card-hosted'],
    settings: (url) => ({ base_url: url, api_key: 'api_test_council', webhook_secret: 'the-secret-of-the-webhook' }),
  },
  vipps: {
    connector: vippsConnector,
    mid: 'vipps',
    shop: 'Bokhandel',
    methods: ['wallet-vipps'],
    settings: (url) => ({
      base_url: url,
      merchant_serial_number: '123456',
      client_id: 'the-client',
      client_secret: 'the-secret-of-the-unit',
      subscription_key: 'the-key-of-the-subscription',
      webhook_secret: 'the-secret-of-the-webhook',
    }),
  },
  'ob-uk': {
    connector: obUkConnector,
    mid: 'bank',
    shop: 'Bookshop',
    methods: ['open-banking'],
    settings: (url) => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      return {
        base_url: url,
        authorization_url: new URL('/', url).href,
        oauth_url: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        issuer: 'https://bank.example',
        client_id: 'the-client',
        signing_key: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
        kid: 'the-key-id',
        signature_issuer: '0015800001041RHAAY/the-software',
      };
    },
  },
} as const satisfies Readonly<Record<string, RealProvider>>;

export type RealName = keyof typeof REAL_PROVIDERS;
export const realProvider = (name: RealName): RealProvider => REAL_PROVIDERS[name];

/**
 * A deployment with an account at a real provider.
 *
 * @param url where its API is
 * @param more settings beside, or in place of, those of the account
 */
export function realConfig(name: RealName, url: string, callbackUrl: string, port: number, more: object = {}) {
  const { connector, mid, shop, methods, settings, defaults } = realProvider(name);
  return {
    publicUrl: `http://127.0.0.1:${port}`,
    port,
    dataDir: 'memory',
    callbackNetwork: 'any',
    connectors: [connector],
    mids: [
      {
        id: mid,
        connector: connector.id,
        settings: { ...settings(url), ...more },
        ...(defaults && { defaults }),
      },
    ],
    merchants: [
      { ...merchant, name: shop, callbackUrl, callbackSecret, methods: methods.map((key) => ({ key, mid })) },
    ],
  } satisfies CheckoutConfig;
}
