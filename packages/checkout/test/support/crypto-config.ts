import { addressesConnector, gatewayConnector } from '@railyard/connector-crypto';
import type { CheckoutConfig, GivenCatalogue } from '../../src/index.ts';
import type { CryptoProvider } from './crypto-provider.ts';
import { merchant, payoutsByHash, testKeyAt } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';

type Provider = Pick<CryptoProvider, 'url' | 'apiKey' | 'notificationSecret'>;

/** A deployment with accounts at both crypto providers and one merchant. */
export function cryptoConfig(
  provider: Provider,
  callbackUrl: string,
  port: number,
  gatewayUrl: string,
): CheckoutConfig & GivenCatalogue {
  const webhook_secret = provider.notificationSecret;
  const gateway = { base_url: gatewayUrl, merchant_id: 'm-1', api_key: 'test-secret-key', webhook_secret };
  return {
    publicUrl: `http://127.0.0.1:${port}`,
    port,
    dataDir: 'memory',
    callbackNetwork: 'any',
    connectors: [addressesConnector, gatewayConnector],
    mids: [
      {
        id: 'crypto-main',
        connector: addressesConnector.id,
        settings: { base_url: provider.url, api_key: provider.apiKey, webhook_secret },
        defaults: { 'crypto-receive-fiat': { conversion: true, crypto_type: 'BTC' } },
      },
      { id: 'gateway-live', connector: gatewayConnector.id, settings: gateway, test: false },
      { id: 'gateway-test', connector: gatewayConnector.id, settings: gateway, test: true },
    ],
    merchants: [
      {
        key: merchant.key,
        testKey: merchant.testKey,
        name: 'Coin shop',
        password: merchant.password,
        test: testKeyAt(callbackUrl),
        ...payoutsByHash,
        digest: 'both',
        callbackUrl,
        callbackSecret,
        methods: [
          { key: 'crypto-wallet', mid: 'crypto-main' },
          { key: 'crypto-receive', mid: 'crypto-main' },
          { key: 'awcc', title: 'awcc', method: 'crypto-receive', mid: 'crypto-main' },
          { key: 'crypto-receive-fiat', mid: 'crypto-main' },
          { key: 'trading-withdrawal', mid: ['gateway-live', 'gateway-test'] },
          { key: 'trading-deposit', mid: ['gateway-live', 'gateway-test'] },
        ],
      },
    ],
  };
}
