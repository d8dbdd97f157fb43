import { hubConnector } from '@railyard/connector-mobile-money';
import type { CheckoutConfig, GivenCatalogue } from '../../src/index.ts';
import type { MobileMoneyProvider } from './mobile-money-provider.ts';
import { merchant, payoutsByHash, testKeyAt } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';

/** A deployment with one mobile money account and one merchant. */
export function mobileMoneyConfig(
  provider: Pick<MobileMoneyProvider, 'url' | 'secretKey' | 'notificationSecret'>,
  callbackUrl: string,
  port: number,
): CheckoutConfig & GivenCatalogue {
  return {
    publicUrl: `http://127.0.0.1:${port}`,
    port,
    dataDir: 'memory',
    callbackNetwork: 'any',
    connectors: [hubConnector],
    mids: [
      {
        id: 'mobile-money-main',
        connector: hubConnector.id,
        settings: {
          base_url: provider.url,
          api_key: provider.secretKey,
          webhook_secret: provider.notificationSecret,
        },
      },
    ],
    merchants: [
      {
        key: merchant.key,
        testKey: merchant.testKey,
        name: 'Duka',
        password: merchant.password,
        test: testKeyAt(callbackUrl),
        ...payoutsByHash,
        digest: 'both',
        callbackUrl,
        callbackSecret,
        methods: [{ key: 'mobile-money', mid: 'mobile-money-main' }],
      },
    ],
  };
}
