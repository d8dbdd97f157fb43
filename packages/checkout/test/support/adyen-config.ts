import { adyenConnector } from '@railyard/connector-card';
import type { CheckoutConfig } from '../../src/index.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';

/** The settings of an account at Adyen whose API is at an address. */
export const adyenSettings = (url: string) => ({
  base_url: url,
  api_key: 'the-api-key-of-adyen',
  merchant_account: 'ExampleShopECOM',
  hmac_key: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
});

/** A deployment with an account at Adyen. */
export const adyenConfig = (url: string, callbackUrl: string, port: number): CheckoutConfig => ({
  publicUrl: `http://127.0.0.1:${port}`,
  port,
  dataDir: 'memory',
  callbackNetwork: 'any',
  connectors: [adyenConnector],
  mids: [
    {
      id: 'adyen',
      connector: adyenConnector.id,
      settings: adyenSettings(url),
      defaults: { card: { sets: ['descriptor'] } },
    },
  ],
  merchants: [
    { ...merchant, name: 'Example Shop', callbackUrl, callbackSecret, methods: [{ key: 'card', mid: 'adyen' }] },
  ],
});
